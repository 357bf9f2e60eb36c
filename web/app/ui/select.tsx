/** One of several, chosen from a list. */
import { Suspense, useState } from "react"
import type { ComponentProps, ComponentType, ReactNode } from "react"
import { buttonClass } from "./button.tsx"
import { Icon } from "./icon.tsx"
import { loaded, partOf } from "./loaded.ts"
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

const load = () => import("./many.tsx")
export const OneOfMany = partOf(load, (many) => many.default as ComponentType<object>) as unknown as typeof import("./many.tsx").default

/** More than this are searched, not scanned. */
export const MANY = 12

const Chosen = <Value extends string>({ of: { label, options, value }, ...button }: { readonly of: ChoiceProps<Value> } & ComponentProps<"button">) => (
  <button {...button} type="button" aria-label={`${label}: ${options.find((one) => one.value === value)?.label ?? ""}`} className={buttonClass("quiet", "max-w-[min(14rem,100%)]! pr-2!")}>
    <span className="truncate">{options.find((one) => one.value === value)?.label}</span>
    <Icon name="down" size={16} className="text-muted" />
  </button>
)

const Many = <Value extends string>(props: ChoiceProps<Value>) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Chosen of={props} aria-haspopup="dialog" aria-expanded={open} onClick={() => void loaded(load, () => setOpen(true))} />
      {open && <Suspense><OneOfMany {...props} onClose={() => setOpen(false)} /></Suspense>}
    </>
  )
}

const Few = <Value extends string>(props: ChoiceProps<Value>) => (
  <Menu align="start" trigger={<Chosen of={props} />}>
    <MenuChoice
      value={props.value} onChange={props.onChange}
      options={props.options.map(({ hint, label, value }) => ({ value, label: hint === undefined ? label : <><span className="block">{label}</span><span className="block text-small text-muted">{hint}</span></> }))}
    />
  </Menu>
)

/** Shows what is chosen, and keeps its place on a phone as well. */
export const Select = <Value extends string>(props: ChoiceProps<Value>) => props.options.length > MANY ? <Many {...props} /> : <Few {...props} />
