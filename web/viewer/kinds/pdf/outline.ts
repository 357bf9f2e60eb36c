/** The document's own contents, in a list beside its pages; nothing where it has none. */
import type { Frame } from "../../stage.ts"
import { tool } from "../../tools.ts"
import type { Engine } from "./engine.ts"

/** As in pdf.css: below this width, the list lies over the pages instead of beside them. */
const NARROW = 720
/** Some documents list every paragraph. */
const MOST = 3_000

type Item = Awaited<ReturnType<Engine["pdf"]["getOutline"]>>[number]

/** An entry with only a web address opens like any link in the document. */
const entry = ({ bold, dest, title, url }: Item, { links }: Engine, gone: () => void): HTMLElement => {
  const words = title.trim() || "Untitled"
  if (dest === null && url === null) return Object.assign(document.createElement("span"), { textContent: words })
  const link = Object.assign(document.createElement("a"), { textContent: words, className: bold ? "bold" : "" })
  if (url !== null) links.addLinkAttributes(link, url)
  else {
    link.href = "#"
    link.addEventListener("click", (event) => {
      event.preventDefault()
      void links.goToDestination(dest!)
      gone()
    })
  }
  return link
}

const outlineOf = async (engine: Engine, gone: () => void): Promise<HTMLElement | undefined> => {
  const items: ReadonlyArray<Item> | null = await engine.pdf.getOutline().catch(() => null)
  if (items === null || items.length === 0) return undefined
  let left = MOST
  const list = (some: ReadonlyArray<Item>): HTMLElement => {
    const all = document.createElement("ul")
    for (const item of some) {
      if (left-- <= 0) break
      const row = document.createElement("li")
      row.append(entry(item, engine, gone))
      if (item.items.length > 0) row.append(list(item.items))
      all.append(row)
    }
    return all
  }
  const nav = Object.assign(document.createElement("nav"), { id: "outline", className: "outline", hidden: true })
  nav.setAttribute("aria-label", "Contents")
  nav.append(list(items))
  return nav
}

export const addOutline = async ({ keys, tools }: Frame, engine: Engine, table: HTMLElement, pages: HTMLElement): Promise<void> => {
  const nav = await outlineOf(engine, () => void (table.clientWidth < NARROW && show(false)))
  if (nav === undefined) return
  const button = tool({ icon: "outline", label: "Contents", key: "o", run: () => show(nav.hidden === true) })
  const show = (on: boolean): void => {
    nav.hidden = !on
    table.classList.toggle("outlined", on)
    button.setAttribute("aria-expanded", String(on))
    if (on) nav.querySelector("a")?.focus()
    else pages.focus({ preventScroll: true })
  }
  button.setAttribute("aria-controls", nav.id)
  button.setAttribute("aria-expanded", "false")
  nav.addEventListener("keydown", (event) => event.key === "Escape" && show(false))
  table.prepend(nav)
  tools.prepend(button)
  keys({ keys: ["o"], label: "Show or hide the contents", run: () => show(nav.hidden === true) })
}
