/** One of a few, chosen from a list. */
import type { ReactNode } from "react"
import { buttonClass } from "./button.tsx"
import { Icon } from "./icon.tsx"
import { Menu, MenuChoice } from "./menu.tsx"

interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: ReactNode
}

export interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<Option<Value>>
}

/** A menu that shows what is chosen, and keeps its place on a phone as well. */
export const Select = <Value extends string>({ label, onChange, options, value }: ChoiceProps<Value>) => (
  <Menu
    align="start"
    trigger={
      <button type="button" aria-label={`${label}: ${options.find((one) => one.value === value)?.label ?? ""}`} className={buttonClass("quiet", "max-w-56 pr-2!")}>
        <span className="truncate">{options.find((one) => one.value === value)?.label}</span>
        <Icon name="down" size={16} className="text-muted" />
      </button>
    }
  >
    <MenuChoice
      value={value} onChange={onChange}
      options={options.map(({ hint, label, value }) => ({ value, label: hint === undefined ? label : <><span className="block">{label}</span><span className="block text-small text-muted">{hint}</span></> }))}
    />
  </Menu>
)
