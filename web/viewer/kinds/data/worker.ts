/** The worker's side: reads the file, keeps it, and answers for the few rows that somebody looks at. */
import { CsvSource } from "./table/csv-source.ts"
import { besideOf, movedTo, valueText } from "./json/json-places.ts"
import { isFlat, isUniform, jsonSource, recordsOf } from "./json/json-source.ts"
import { saysTwice } from "./json/json-names.ts"
import { NumberWatch } from "./json/json-numbers.ts"
import { read, readLines } from "./json/json-reading.ts"
import { pathTo, saying, search } from "./json/json-search.ts"
import type { Match } from "./json/json-search.ts"
import { JsonTree } from "./json/json-tree.ts"
import { fitted, pathOf, pathText } from "./json/paths.ts"
import type { Path } from "./json/paths.ts"
import type { Answered, Asked, News, Opened, TableFacts, WorkerApi } from "./protocol.ts"
import { Newer } from "../../ranges.ts"
import type { Quoted } from "../../text-anchor.ts"
import { Bytes, inUtf8, ranges } from "./ranges.ts"
import { shown, SHOWN } from "./table/source.ts"
import { TableView, turn } from "./table/table-view.ts"
import { tsv } from "./table/tsv.ts"
import { widestOf } from "./table/widths.ts"

const NEWS_MS = 200
/** A column's greatest width at first, in px at the common text size. */
const WIDE = 320
const UNFOLDED = 2_000
/** Rows of a document that is short enough to be shown whole. */
const SHORT = 100
const MATCHES = 10_000
/** Characters shown of a text that is not JSON. */
const TEXT = 2 * 1024 * 1024
const COPIED = 20_000_000

const scope = self as unknown as { readonly postMessage: (message: Answered) => void }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is not a window.
const post = (message: Answered): void => scope.postMessage(message)
const tell = (news: News): void => post({ news })

let view = new TableView(new CsvSource(0))
let tree = new JsonTree(null)
let records: ReturnType<typeof recordsOf>
let matches: Array<Match> = []
let searches = 0
/** Lost places are asked for again and again, and the file does not change. */
const sought = new Map<string, Promise<string | undefined>>()

const factsOf = ({ query: { header }, shapes, source }: TableView): TableFacts => {
  const names = header ? source.row(0) : []
  const first = header ? 1 : 0
  const rows = Array.from({ length: Math.min(200, Math.max(0, source.count() - first)) }, (_, at) => source.row(first + at))
  return {
    header,
    columns: shapes.map(({ type }, column) => ({
      name: names[column]?.slice(0, SHOWN).trim() || `Column ${column + 1}`,
      type,
      width: widestOf(rows.map((cells) => cells[column] ?? ""), WIDE)
    }))
  }
}

const openCsv = async (src: string, type: string, total: number): Promise<Opened> => {
  const source = new CsvSource(total)
  view = new TableView(source)
  let [bytes, told, first] = [0, 0, true]
  const learn = (): TableFacts => {
    view.learn()
    return factsOf(view)
  }
  const arriving = async function*() {
    for await (const part of ranges(src, total)) {
      bytes += part.length
      yield part
    }
  }
  for await (const part of inUtf8(arriving(), type)) {
    source.append(part)
    if (first && source.count() > (source.dialect.header ? 1 : 0)) {
      first = false
      view.query = { ...view.query, header: source.dialect.header }
      tell({ bytes, total, rows: view.total, facts: learn() })
    } else if (performance.now() - told > NEWS_MS) tell({ bytes, total, rows: view.total })
    else continue
    told = performance.now()
    await turn()
  }
  const unclosed = source.end()
  if (first) view.query = { ...view.query, header: source.dialect.header }
  return { is: "table", facts: source.count() > 0 ? learn() : undefined, unclosed }
}

const openJson = async (src: string, type: string, total: number, lines: boolean): Promise<Opened> => {
  const kept = new Bytes(total)
  const numbers = new NumberWatch()
  let told = 0
  for await (const part of inUtf8(ranges(src, total), type)) {
    kept.append(part)
    numbers.push(part)
    if (performance.now() - told < NEWS_MS) continue
    told = performance.now()
    tell({ bytes: kept.length, total, rows: 0 })
  }
  const exact = numbers.end()
  tell({ bytes: kept.length, total, rows: 0 })
  const text = new TextDecoder().decode(kept.data.subarray(0, kept.length))
  kept.data = new Uint8Array(0)
  const result = lines ? readLines(text, exact) : read(text, exact)
  if (!("value" in result)) return { is: "broken", ...result, text: text.slice(0, TEXT), whole: text.length <= TEXT }
  tree = new JsonTree(result.value)
  const short = tree.openShort(SHORT)
  records = recordsOf(result.value)
  // What stands around the records is in the tree alone.
  const table = records === undefined ? "none" : short || records !== result.value || !isFlat(records) || !isUniform(records) ? "second" : "first"
  return { is: "tree", rows: tree.rows.length, table, twice: saysTwice(text, result.value) }
}

/** At its path, as that is now; what was quoted by hand, in there or, where there is no such path, wherever it is said. */
const seek = async (text: string | undefined, quoted: Quoted | undefined): Promise<string | undefined> => {
  const at = (path: Path): unknown => tree.value(path)
  const written = text === undefined ? undefined : pathOf(text)
  const path = written && fitted(written, at)
  const there = path && movedTo(path, quoted, at)
  if (quoted === undefined || (quoted.prefix !== undefined || quoted.suffix !== undefined) && path !== undefined) return there && pathText(there)
  const own = path && at(path)
  const isWithin = typeof own === "object" && own !== null
  if (there !== undefined && !isWithin) return pathText(there)
  const from = isWithin ? path! : []
  const steps = saying(isWithin ? own : at([]), quoted.quote, valueText, !isWithin && path !== undefined)
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await turn()
  const found = step.value === undefined ? there : [...from, ...step.value]
  return found && pathText(found)
}

const api: WorkerApi = {
  open: async (format, src, type, total) => format === "csv" ? openCsv(src, type, total) : openJson(src, type, total, format === "ndjson"),
  asTable: () => {
    view = new TableView(jsonSource(records ?? []))
    view.query = { ...view.query, header: true }
    view.learn()
    return factsOf(view)
  },
  view: async (query) => {
    if (query.header !== view.query.header) {
      view.query = { ...view.query, header: query.header }
      view.learn()
      tell({ bytes: 0, total: 0, rows: 0, facts: factsOf(view) })
    }
    return await view.set(query) ? { count: view.count, total: view.total } : undefined
  },
  rows: (from, to, first, last) => {
    const records = Array.from({ length: Math.max(0, Math.min(to, view.count) - from) }, (_, at) => view.record(from + at))
    return { records, cells: records.map((record) => {
      const cells = view.source.row(record)
      return Array.from({ length: last - first }, (_, at) => shown(cells[first + at]))
    }) }
  },
  whole: (index, column) => view.source.row(view.record(index))[column] ?? "",
  tsv: (from, to, first, last) => {
    const rows: Array<ReadonlyArray<string>> = []
    let length = 0
    for (let index = from; index < Math.min(to, view.count); index++) {
      const row = view.source.row(view.record(index))
      const cells = Array.from({ length: last - first }, (_, at) => row[first + at] ?? "")
      length += cells.reduce((sum, cell) => sum + cell.length + 1, 0)
      if (length > COPIED) throw new Error("too much")
      rows.push(cells)
    }
    return tsv(rows)
  },
  indexOf: (record) => view.indexOf(record),
  locate: (record, column, quoted) => {
    const found = view.locate(record, column, quoted)
    return { record: found, index: found === -1 ? -1 : view.indexOf(found) }
  },
  likeliest: (record, columns, quoted) => view.likeliest(record, columns, quoted),
  seek: (record, column, quoted) => {
    const found = view.seek(record, column, quoted)
    return found && { ...found, index: view.indexOf(found.record) }
  },
  tree: (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, at) => tree.row(from + at)).filter((row) => row !== undefined),
  fold: (id, open) => ({ index: tree.fold(id, open), rows: tree.rows.length }),
  rowWith: (id) => tree.rowWith(id),
  unfold: (all) => {
    if (all) tree.openAll(UNFOLDED)
    else tree.closeAll()
    return { index: 0, rows: tree.rows.length }
  },
  parent: (index) => {
    const { parent } = tree.rows[index] ?? {}
    return parent === undefined ? index : tree.rows.lastIndexOf(parent, index)
  },
  place: (index) => {
    const { part, value } = tree.rows[index]!
    const shown = part === undefined ? value : Array.isArray(value) ? value.slice(...part) : undefined
    const path = tree.path(index)
    return { path: pathText(path), value: valueText(shown), ...besideOf(path, (one) => tree.value(one)) }
  },
  search: async (words) => {
    const mine = ++searches
    const found: Array<Match> = []
    if (words !== "") {
      for (const one of search(tree.rows[0]!.value, words)) {
        if (one !== undefined && found.push(one.match) === MATCHES) break
        if (one !== undefined) continue
        await turn()
        if (mine !== searches) return undefined
      }
    }
    matches = found
    return found.length
  },
  match: (index) => ({ index: tree.reveal(pathTo(matches[index])), rows: tree.rows.length }),
  sought: (path, quoted) => {
    const key = JSON.stringify([path, quoted])
    const found = sought.get(key) ?? seek(path, quoted)
    sought.set(key, found)
    return found
  },
  nearest: (paths) => paths.map((path) => {
    const keys = pathOf(path) ?? []
    const index = tree.nearest(keys)
    return { index, own: tree.path(index).length === keys.length && tree.rows[index]!.part === undefined }
  }),
  reveal: (path) => {
    const keys = pathOf(path)
    return { index: keys === undefined ? -1 : tree.reveal(keys), rows: tree.rows.length }
  }
}

addEventListener("message", ({ data: { args, id, name } }: MessageEvent<Asked>) => {
  const call = api[name] as (...args: ReadonlyArray<unknown>) => unknown
  // Wrapped in a promise, so that a synchronous throw fails like the rest.
  new Promise((resolve) => resolve(call(...args))).then(
    (value) => post({ id, value }),
    (error) => post({ id, failed: error instanceof Newer ? "newer" : error instanceof RangeError ? "too big" : String(error?.message ?? error) })
  )
})
