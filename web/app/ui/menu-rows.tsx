/** The contents of a menu once it opens; screens import `menu.tsx`, which loads this when it is about to be needed. */
import * as Dropdown from "@radix-ui/react-dropdown-menu"
import { Suspense, useEffect, useRef } from "react"
import type { ReactElement, ReactNode } from "react"
import { Icon } from "./icon.tsx"
import type { IconName } from "./icon.tsx"

export interface MenuProps {
  readonly trigger: ReactElement
  readonly children: ReactNode
  readonly align?: "start" | "end"
  readonly side?: "top" | "bottom"
}

/** The first time, the menu does not know by which key it was asked for: its rows came after that. */
const FirstRow = () => {
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => here.current?.closest("[role=menu]")?.querySelector<HTMLElement>("[role^=menuitem]:not([data-disabled])")?.focus(), [])
  return <span ref={here} hidden />
}

export const OpenedMenu = ({ align = "end", byKey, children, side = "bottom", trigger }: MenuProps & { readonly byKey: boolean }) => (
  <Dropdown.Root modal={false} defaultOpen>
    <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
    <Dropdown.Portal>
      <Dropdown.Content align={align} side={side} sideOffset={6} collisionPadding={12} className="z-50 max-h-[70vh] min-w-52 max-w-80 overflow-y-auto rounded-sheet border border-line bg-sheet p-1.5 shadow-float rise">
        <Suspense>{byKey && <FirstRow />}{children}</Suspense>
      </Dropdown.Content>
    </Dropdown.Portal>
  </Dropdown.Root>
)

const row = "flex min-h-11 w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left -outline-offset-2 select-none data-highlighted:tint data-disabled:opacity-50 md:min-h-9"

interface ItemProps {
  readonly icon?: IconName
  readonly danger?: boolean
  readonly onSelect?: () => void
  readonly children: ReactNode
}

export const MenuItem = ({ children, danger = false, icon, onSelect }: ItemProps) => (
  <Dropdown.Item className={`${row} ${danger ? "text-bad" : ""}`} {...(onSelect && { onSelect })}>
    {icon !== undefined && <Icon name={icon} className={danger ? "" : "text-muted"} />}
    {children}
  </Dropdown.Item>
)

/** The child element is the link. */
export const MenuLink = ({ children }: { readonly children: ReactNode }) => <Dropdown.Item asChild className={row}>{children}</Dropdown.Item>

export const MenuLabel = ({ children }: { readonly children: ReactNode }) => <Dropdown.Label className="px-2.5 pt-2 pb-1 text-small text-muted">{children}</Dropdown.Label>

export const MenuLine = () => <Dropdown.Separator className="mx-2.5 my-1.5 h-px bg-line" />

interface ChoiceProps<Value extends string> {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly options: ReadonlyArray<{ readonly value: Value; readonly label: ReactNode }>
}

export const MenuChoice = <Value extends string>({ onChange, options, value }: ChoiceProps<Value>) => (
  <Dropdown.RadioGroup value={value} onValueChange={(next) => next !== value && onChange(next as Value)}>
    {options.map((option) => (
      <Dropdown.RadioItem key={option.value} value={option.value} className={row}>
        <span className="w-[18px]"><Dropdown.ItemIndicator><Icon name="check" className="text-accent" /></Dropdown.ItemIndicator></span>
        <span className="min-w-0 flex-1">{option.label}</span>
      </Dropdown.RadioItem>
    ))}
  </Dropdown.RadioGroup>
)
