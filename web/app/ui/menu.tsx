/**
 * A menu behind a button: `<Menu trigger={<Button/>}><MenuItem/></Menu>`. The code that places and controls it is a
 * sixth of a first visit's script, so it loads when a pointer or the focus nears the button.
 */
import { cloneElement, lazy, Suspense, useState } from "react"
import type { KeyboardEvent, MouseEvent, ReactElement } from "react"
import { loaded } from "./loaded.ts"
import type * as Rows from "./menu-rows.tsx"

const load = () => import("./menu-rows.tsx")
/** Loads ahead and ignores failures: those are reported when the menu is opened. */
const near = () => void load().catch(() => undefined)

const OpenedMenu = lazy(async () => ({ default: (await load()).OpenedMenu }))

export const Menu = (props: Rows.MenuProps) => {
  const [asked, setAsked] = useState<"key" | "pointer">()
  if (asked !== undefined) return <Suspense fallback={props.trigger}><OpenedMenu {...props} byKey={asked === "key"} /></Suspense>
  const ask = (by: "key" | "pointer") => void loaded(load, () => setAsked(by))
  return cloneElement(props.trigger as ReactElement<Record<string, unknown>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: near,
    onFocus: near,
    // A press of Enter or Space is a click without a count.
    onClick: ({ detail }: MouseEvent) => ask(detail === 0 ? "key" : "pointer"),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown") return
      event.preventDefault()
      ask("key")
    }
  })
}

export const MenuItem = lazy(async () => ({ default: (await load()).MenuItem }))
export const MenuLink = lazy(async () => ({ default: (await load()).MenuLink }))
export const MenuLabel = lazy(async () => ({ default: (await load()).MenuLabel }))
export const MenuLine = lazy(async () => ({ default: (await load()).MenuLine }))
export const MenuChoice = lazy(async () => ({ default: (await load()).MenuChoice })) as unknown as typeof Rows.MenuChoice
