/** HTML as a value: a tagged template that escapes whatever is put into it, unless it is HTML already. */

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toString(): string {
    return this.text
  }
}

/** What may stand in a template. Not `undefined`, which would be a forgotten value rather than an absent one. */
export type Slot = Html | string | number | null | false | ReadonlyArray<Slot>

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

/** Safe between tags and inside quoted attributes; not in `<script>`, `<style>`, or an unquoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

const filled = (slot: Slot): string => {
  if (slot === null || slot === false) return ""
  if (slot instanceof Html) return slot.text
  if (typeof slot === "string" || typeof slot === "number") return escaped(String(slot))
  return slot.map(filled).join("")
}

export const html = (parts: TemplateStringsArray, ...slots: ReadonlyArray<Slot>): Html =>
  new Html(parts.map((part, index) => part + (index < slots.length ? filled(slots[index] ?? null) : "")).join(""))

/** For text that this program wrote itself, such as a stylesheet; never for anything from outside. */
export const trusted = (text: string): Html => new Html(text)
