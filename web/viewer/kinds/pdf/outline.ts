/** The document's own contents and the files attached to it, in lists beside its pages; nothing where it has neither. */
import type { Frame } from "../../stage.ts"
import { tool } from "../../tools.ts"
import type { Engine } from "./engine.ts"

/** As in pdf.css: below this width, the list lies over the pages instead of beside them. */
const NARROW = 720
/** Some documents list every paragraph. */
const MOST = 3_000
const ATTACHED = "Attached files"

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

const outlineOf = async (engine: Engine, gone: () => void): Promise<ReadonlyArray<HTMLElement>> => {
  const items: ReadonlyArray<Item> | null = await engine.pdf.getOutline().catch(() => null)
  if (items === null || items.length === 0) return []
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
  return [list(items)]
}

/** Without what hides or turns the letters around it: a name says what would be downloaded. */
const plain = (name: string): string => name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "").trim() || "Untitled"

/** Those of pages are shown where they are pinned. */
const attachedOf = async ({ downloads, pdf }: Engine, say: (text: string) => void): Promise<ReadonlyArray<HTMLElement>> => {
  const files = await pdf.getAttachments().catch(() => null)
  if (files === null || files.size === 0) return []
  const list = document.createElement("ul")
  for (const [id, { filename }] of [...files].slice(0, MOST)) {
    const name = plain(filename)
    const link = Object.assign(document.createElement("a"), { href: "#", textContent: name, dir: "auto" })
    link.setAttribute("aria-label", `Download ${name}`)
    link.addEventListener("click", (event) => {
      event.preventDefault()
      void pdf.getAttachmentContent(id).catch(() => null).then((data) => {
        if (data) return downloads.downloadData(data, name, "application/octet-stream")
        link.replaceWith(Object.assign(document.createElement("span"), { textContent: `${name} is damaged`, dir: "auto" }))
        say(`${name} is damaged`)
      })
    })
    const row = document.createElement("li")
    row.append(link)
    list.append(row)
  }
  return [Object.assign(document.createElement("h2"), { textContent: ATTACHED }), list]
}

export const addOutline = async ({ keys, tools }: Frame, engine: Engine, table: HTMLElement, pages: HTMLElement, say: (text: string) => void): Promise<void> => {
  const [outline, attached] = await Promise.all([outlineOf(engine, () => void (table.clientWidth < NARROW && show(false))), attachedOf(engine, say)])
  if (outline.length === 0 && attached.length === 0) return
  const label = outline.length > 0 ? "Contents" : ATTACHED
  const nav = Object.assign(document.createElement("nav"), { id: "outline", className: "outline", hidden: true })
  nav.setAttribute("aria-label", label)
  nav.append(...outline, ...attached)
  const button = tool({ icon: "outline", label, key: "o", run: () => show(nav.hidden === true) })
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
  keys({ keys: ["o"], label: `Show or hide the ${label.toLowerCase()}`, run: () => show(nav.hidden === true) })
}
