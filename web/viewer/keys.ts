/** The page's keyboard shortcuts: one table, which runs them and which `?` lists. */
import { isTyping } from "./browser-keys.ts"
import type { Key } from "./stage.ts"
import { tool } from "./tools.ts"

const NAMES: Readonly<Record<string, string>> = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", " ": "Space", Escape: "Esc", "-": "−"
}

/** Space and Enter on these elements belong to the browser. */
const isPressing = ({ key, target }: KeyboardEvent): boolean =>
  (key === " " || key === "Enter") && target instanceof Element && target.closest("a,button,summary,audio,video") !== null

const listed = (table: ReadonlyArray<Key>): HTMLElement => {
  const list = document.createElement("dl")
  for (const { keys, label } of table) {
    const [term, words] = [document.createElement("dt"), document.createElement("dd")]
    for (const key of keys) term.append(Object.assign(document.createElement("kbd"), { textContent: NAMES[key] ?? key }))
    words.textContent = label
    list.append(term, words)
  }
  return list
}

export interface Keys {
  readonly add: (...keys: ReadonlyArray<Key>) => void
}

export const keyboard = (): Keys => {
  const table: Array<Key> = []
  const dialog = document.createElement("dialog")
  dialog.className = "sheet keys"
  dialog.setAttribute("aria-labelledby", "keys-title")

  const show = (): void => {
    if (dialog.open) return dialog.close()
    const close = tool({ icon: "close", label: "Close", key: "Esc", run: () => dialog.close() })
    const head = document.createElement("header")
    head.append(Object.assign(document.createElement("h2"), { id: "keys-title", textContent: "Keys" }), close)
    dialog.replaceChildren(head, listed(table))
    document.body.append(dialog)
    dialog.showModal()
  }
  // A click on the backdrop closes it.
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close())

  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || isPressing(event)) return
    // Keys in an open dialog are its own: the browser closes it with Escape.
    const modal = document.querySelector("dialog:modal")
    if (modal !== null && (modal !== dialog || event.key !== "?")) return
    // The latest entry wins: a document's own keys come before the page's.
    const key = table.findLast(({ keys }) => keys.includes(event.key))
    if (key === undefined) return
    event.preventDefault()
    key.run(event)
  })

  const add = (...keys: ReadonlyArray<Key>): void => void table.push(...keys)
  add({ keys: ["?"], label: "Show the keys", run: show })
  return { add }
}
