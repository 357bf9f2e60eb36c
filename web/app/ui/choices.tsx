/** Choosing: on or off, and one of a few with a sentence each. Choosing from a list is in select.tsx. */
import * as Radio from "@radix-ui/react-radio-group"
import * as RadixSwitch from "@radix-ui/react-switch"
import { useId } from "react"
import type { FocusEvent, ReactNode } from "react"
import type { ChoiceProps } from "./select.tsx"

interface SwitchProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
}

export const Switch = ({ checked, disabled = false, hint, label, onChange }: SwitchProps) => {
  const id = useId()
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-medium">{label}</label>
        {hint !== undefined && <p id={`${id}-hint`} className="text-small text-muted">{hint}</p>}
      </div>
      <RadixSwitch.Root
        id={id} checked={checked} disabled={disabled} onCheckedChange={onChange} aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="edge relative h-6 w-10 shrink-0 rounded-full bg-desk transition-colors data-[state=checked]:border-ink data-[state=checked]:bg-ink disabled:opacity-50"
      >
        <RadixSwitch.Thumb className="block size-4 translate-x-[3px] rounded-full bg-muted transition-transform data-[state=checked]:translate-x-[19px] data-[state=checked]:bg-sheet" />
      </RadixSwitch.Root>
    </div>
  )
}

interface RadioCardsProps<Value extends string> extends ChoiceProps<Value> {
  /** It holds as soon as it is chosen: arrow keys only lead from one to the next, and Space chooses, so that nobody opens something by looking. */
  readonly atOnce?: boolean
}

/** About three options, each with the sentence that says what it means. */
export const RadioCards = <Value extends string>({ atOnce = false, label, onChange, options, value }: RadioCardsProps<Value>) => {
  const id = useId()
  return (
    <Radio.Root value={value} onValueChange={(next) => onChange(next as Value)} aria-label={label} className="divide-y divide-line rounded-control border border-line">
      {options.map((option) => (
        <label key={option.value} htmlFor={`${id}-${option.value}`} className="flex cursor-pointer gap-3 p-3 hover:tint">
          <Radio.Item
            id={`${id}-${option.value}`} value={option.value} {...(atOnce && { onFocus: (event: FocusEvent) => event.preventDefault() })}
            aria-labelledby={`${id}-${option.value}-label`} aria-describedby={option.hint === undefined ? undefined : `${id}-${option.value}-hint`}
            className="edge mt-0.5 grid size-[18px] shrink-0 place-items-center rounded-full bg-sheet data-[state=checked]:border-ink"
          >
            <Radio.Indicator className="size-2.5 rounded-full bg-ink" />
          </Radio.Item>
          <span>
            <span id={`${id}-${option.value}-label`} className="block font-medium">{option.label}</span>
            {option.hint !== undefined && <span id={`${id}-${option.value}-hint`} className="block text-small text-muted">{option.hint}</span>}
          </span>
        </label>
      ))}
    </Radio.Root>
  )
}
