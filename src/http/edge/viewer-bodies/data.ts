/** A table's first rows, or the beginning of a JSON; the script then makes a grid or a tree of the whole. */
import { dialectOf, rowsOf } from "../../../domain/projects/documents/delimited.ts"
import { indented } from "../../../domain/projects/documents/indented.ts"
import { isJson } from "../../../domain/projects/documents/json-beginnings.ts"
import { decoded } from "../../../domain/projects/documents/text-encodings.ts"
import { html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

const TABLE_BYTES = 256 * 1024
const JSON_BYTES = 64 * 1024
const ROWS = 200
const COLUMNS = 100
const CELL = 300
const BEGINNING = "This is the beginning."

const formatOf = (name: string, type: string): "csv" | "json" | "ndjson" =>
  /^application\/x-ndjson\b/i.test(type) || /\.(?:ndjson|jsonl)$/i.test(name) ? "ndjson" : /json/i.test(type) ? "json" : "csv"

const short = (cell: string): string => cell.length > CELL ? `${cell.slice(0, CELL).toWellFormed()}…` : cell

export const dataBody: KindViewer["body"] = async ({ bytes, name, raw, type }, read) => {
  const format = formatOf(name, type)
  const rest = (words: string) => html`<p class="strip">${words} <a href="${raw(name)}">Open the whole file</a></p>`
  if (format !== "csv") {
    const text = decoded(await read(JSON_BYTES), type, { stream: true }).replace(/^\uFEFF/, "")
    const whole = bytes <= JSON_BYTES
    if (whole && text.trim() === "") return html``
    const shown = format === "ndjson" || (whole && !isJson(text)) ? text : indented(text)
    return html`<div id="data" class="data" data-format="${format}">${whole ? html`<p class="strip"></p>` : rest(BEGINNING)}<pre class="sheet plain" lang="" tabindex="0" role="region" aria-label="${name}">
${shown}</pre></div>`
  }
  const text = decoded(await read(TABLE_BYTES), type, { stream: true }).replace(/^\uFEFF/, "")
  const cut = bytes > TABLE_BYTES
  if (!cut && text.trim() === "") return html``
  const { delimiter, header, start } = dialectOf(text)
  const all = rowsOf(text.slice(start), delimiter, ROWS + 2)
  // The last row may have been cut short.
  const rows = cut && all.length > 1 && all.length < ROWS + 2 ? all.slice(0, -1) : all
  const from = header ? 1 : 0
  const shown = rows.slice(from, from + ROWS)
  const long = cut || rows.length > from + ROWS
  const wide = Math.max(0, ...rows.map(({ length }) => length)) > COLUMNS
  const parts = [...(long && shown.length > 0 ? [shown.length === 1 ? "row" : `${shown.length} rows`] : []), ...(wide ? [`${COLUMNS} columns`] : [])]
  return html`<div id="data" class="data" data-format="csv">${
    long || wide ? rest(parts.length === 0 ? BEGINNING : `The first ${parts.join(" and ")}.`) : html`<p class="strip">${shown.length === 0 && (header ? "There are no rows under these names." : "There is nothing in this file.")}</p>`
  }<div class="sheet plain" tabindex="0" role="region" aria-label="${name}"><table lang="">${
    header && html`<thead><tr>${rows[0]!.slice(0, COLUMNS).map((cell) => html`<th scope="col">${short(cell)}</th>`)}</tr></thead>`
  }<tbody>${shown.map((cells) => html`<tr>${cells.slice(0, COLUMNS).map((cell) => html`<td>${short(cell)}</td>`)}</tr>`)}</tbody></table></div></div>`
}
