/** One of a few options, all in sight; the arrow keys move between them. */
import * as Radio from "@radix-ui/react-radio-group"

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: string }>
}

export const Segments = <Value extends string>({ label, onChange, options, value }: SegmentsProps<Value>) => (
  <Radio.Root value={value} onValueChange={(next) => onChange(next as Value)} orientation="horizontal" aria-label={label} className="edge inline-flex max-w-full flex-wrap rounded-control bg-sheet p-0.5">
    {options.map((option) => (
      <Radio.Item
        key={option.value} value={option.value}
        className="min-h-10 rounded-[6px] px-3 text-muted hover:text-ink data-[state=checked]:bg-[color-mix(in_srgb,var(--ink)_8%,transparent)] data-[state=checked]:font-medium data-[state=checked]:text-ink md:min-h-8"
      >
        {option.label}
      </Radio.Item>
    ))}
  </Radio.Root>
)
