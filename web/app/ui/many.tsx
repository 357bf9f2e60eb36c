/** One of many, found by typing part of its name: loaded when it is first asked for. */
import { Command } from "cmdk"
import { Dialog } from "./dialog.tsx"
import { Icon } from "./icon.tsx"
import { plain } from "./plain.ts"
import type { ChoiceProps } from "./select.tsx"

/** What stands in the name as it was typed: with many alike, scattered letters would find most of them. */
const holds = (_value: string, typed: string, [label = ""]: Array<string> = []): number => plain(label).includes(plain(typed.trim())) ? 1 : 0

const OneOfMany = <Value extends string>({ label, onChange, onClose, options, value }: ChoiceProps<Value> & { readonly onClose: () => void }) => (
  <Dialog open onOpenChange={onClose} title={label}>
    <Command label={label} filter={holds} defaultValue={`=${value}`} className="-mx-2">
      <div className="edge mx-2 mb-2 flex items-center gap-2.5 rounded-control px-3">
        <Icon name="find" className="shrink-0 text-muted" />
        <Command.Input autoFocus placeholder="Type part of the name" className="min-h-11 w-full bg-transparent text-body outline-none placeholder:text-muted md:min-h-9 md:text-control" />
      </div>
      <Command.List className="h-[min(22rem,50vh)] overflow-y-auto">
        <Command.Empty className="px-3 py-6 text-center text-muted">Nothing is called that.</Command.Empty>
        {options.map((option) => (
          <Command.Item
            key={option.value} value={`=${option.value}`} keywords={[option.label]} className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control px-2 data-[selected=true]:tint md:min-h-9"
            onSelect={() => {
              onClose()
              if (option.value !== value) onChange(option.value)
            }}
          >
            <span className="w-[18px] shrink-0">{option.value === value && <Icon name="check" className="text-accent" />}</span>
            <span className="min-w-0 flex-1 break-words">{option.label}{option.hint !== undefined && <span className="block text-small text-muted">{option.hint}</span>}</span>
            {option.value === value && <span className="sr-only">Chosen</span>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  </Dialog>
)

export default OneOfMany
