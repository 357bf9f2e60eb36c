/**
 * A menu behind a button: `<Menu trigger={<Button/>}><MenuItem/></Menu>`. The code that places and controls it is a
 * sixth of a first visit's script, so it loads when a pointer or the focus nears the button.
 */
import { cloneElement, Suspense, useState } from "react"
import type { KeyboardEvent, MouseEvent, ReactElement } from "react"
import { ahead, loaded, partOf } from "./loaded.ts"
import type * as Rows from "./menu-rows.tsx"

const load = () => import("./menu-rows.tsx")
const near = () => ahead(load)

const OpenedMenu = partOf(load, (rows) => rows.OpenedMenu)

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

export const MenuItem = partOf(load, (rows) => rows.MenuItem)
export const MenuLink = partOf(load, (rows) => rows.MenuLink)
export const MenuLabel = partOf(load, (rows) => rows.MenuLabel)
export const MenuLine = partOf(load, (rows) => rows.MenuLine)
export const MenuChoice = partOf(load, (rows) => rows.MenuChoice) as unknown as typeof Rows.MenuChoice
