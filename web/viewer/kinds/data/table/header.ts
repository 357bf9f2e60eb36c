/** The column headers: names, sorting, widths, and the fields that filter a column. */
import { iconText } from "../../../../../src/look/icons.ts"
import type { Columns } from "./columns.ts"
import { made, mark } from "../dom.ts"

const QUIET_MS = 200
const TYPES = { number: "123", date: "Date", time: "Time", boolean: "T/F", text: "Text" } as const

export interface Sort {
  readonly column: number
  readonly down: boolean
}

export interface Header {
  readonly element: HTMLElement
  /** Shows the columns from `first` to `last` (exclusive). */
  readonly draw: (first: number, last: number, sort: Sort | undefined, active: number | undefined) => void
  /** Call after the columns have changed. */
  readonly clear: () => void
  readonly fields: (shown: boolean) => void
  readonly hasFields: () => boolean
  readonly filters: () => ReadonlyArray<readonly [number, string]>
  readonly filter: (column: number, words: string) => void
  readonly unfilter: () => void
}

export interface HeaderOptions {
  readonly columns: Columns
  readonly picked: (column: number) => void
  readonly sorted: (column: number) => void
  readonly resized: (column: number, width: number) => void
  readonly filtered: () => void
}

export const makeHeader = ({ columns, filtered, picked, resized, sorted }: HeaderOptions): Header => {
  const titles = made("div", "row", { role: "row", "aria-rowindex": "1" })
  const fields = made("div", "row fields", { role: "row" })
  fields.hidden = true
  const element = made("div", "head", { role: "rowgroup" }, titles, fields)
  const shown = new Map<number, readonly [title: HTMLElement, field: HTMLElement]>()
  const typed = new Map<number, string>()
  let waiting: ReturnType<typeof setTimeout> | undefined

  const dragging = (column: number, handle: HTMLElement) => (event: PointerEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    const [start, width] = [event.clientX, columns.width(column)]
    handle.setPointerCapture(event.pointerId)
    const move = ({ clientX }: PointerEvent): void => resized(column, width + clientX - start)
    handle.addEventListener("pointermove", move)
    handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true })
  }

  const titleOf = (column: number): HTMLElement => {
    const { name, type } = columns.all[column]!
    const sign = made("span", "sign", { "aria-hidden": "true" })
    const handle = made("span", "handle", { "aria-hidden": "true" })
    const title = made("div", `cell title ${type}`, { role: "columnheader", id: `title-${column}`, "aria-colindex": String(column + 2), title: `${name} (${TYPES[type]})` },
      made("span", "name", {}, name), made("span", "type", {}, TYPES[type]), sign, handle)
    handle.addEventListener("pointerdown", dragging(column, handle))
    handle.addEventListener("click", (event) => event.stopPropagation())
    title.addEventListener("click", () => {
      picked(column)
      sorted(column)
    })
    return title
  }
  const fieldOf = (column: number): HTMLElement => {
    const { name } = columns.all[column]!
    const input = made("input", "", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": `Filter ${name}: words, or = > < and a value`, title: "Words, or = > < and a value", placeholder: "Filter" })
    input.value = typed.get(column) ?? ""
    input.addEventListener("input", () => {
      if (input.value === "") typed.delete(column)
      else typed.set(column, input.value)
      clearTimeout(waiting)
      waiting = setTimeout(filtered, QUIET_MS)
    })
    return made("div", "cell", { role: "gridcell", "aria-colindex": String(column + 2) }, input)
  }

  const corner = made("div", "ordinal", { role: "columnheader", "aria-colindex": "1" }, made("span", "said", {}, "Row"))
  /** The field that somebody types in: it is made anew with its column. */
  let typing: { readonly column: number; readonly from: number | null; readonly to: number | null } | undefined
  const inputOf = (column: number): HTMLInputElement | null => shown.get(column)?.[1].querySelector("input") ?? null
  const clear = (): void => {
    const column = [...shown.keys()].find((one) => inputOf(one) === document.activeElement)
    if (column !== undefined) {
      const { selectionEnd: to, selectionStart: from } = inputOf(column)!
      typing = { column, from, to }
    }
    shown.clear()
    titles.replaceChildren(corner)
    fields.replaceChildren(made("div", "ordinal", { role: "gridcell", "aria-colindex": "1" }))
  }
  clear()

  return {
    element, clear,
    draw: (first, last, sort, active) => {
      for (const [column, pair] of shown) {
        if (column >= first && column < last) continue
        for (const one of pair) one.remove()
        shown.delete(column)
      }
      for (let column = first; column < last; column++) {
        let pair = shown.get(column)
        if (pair === undefined) {
          pair = [titleOf(column), fieldOf(column)]
          shown.set(column, pair)
          // In reading order, for screen readers.
          const next = shown.get(column + 1)
          titles.insertBefore(pair[0], next?.[0] ?? null)
          fields.insertBefore(pair[1], next?.[1] ?? null)
        }
        for (const one of pair) {
          one.style.left = `calc(var(--numbers) + ${columns.left(column)}px)`
          one.style.width = `${columns.width(column)}px`
        }
        const [title] = pair
        const way = sort?.column === column ? sort.down ? "descending" : "ascending" : undefined
        if (title.getAttribute("aria-sort") !== (way ?? null)) {
          mark(title, "aria-sort", way)
          title.querySelector(".sign")!.innerHTML = way === undefined ? "" : iconText(way === "descending" ? "down" : "up")
        }
        title.classList.toggle("active", active === column)
      }
      if (typing === undefined) return
      const input = inputOf(typing.column)
      input?.focus({ preventScroll: true })
      input?.setSelectionRange(typing.from, typing.to)
      typing = undefined
    },
    fields: (on) => void (fields.hidden = !on),
    hasFields: () => !fields.hidden,
    filters: () => [...typed],
    filter: (column, words) => {
      typed.set(column, words)
      const input = inputOf(column)
      if (input !== null) input.value = words
    },
    unfilter: () => {
      typed.clear()
      for (const input of fields.querySelectorAll("input")) input.value = ""
    }
  }
}
