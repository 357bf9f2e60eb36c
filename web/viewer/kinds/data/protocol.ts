/** Messages between the page and its worker: calls with answers, and news of what arrives. */
import type { Quoted } from "../../text-anchor.ts"
import type { Query } from "./table/source.ts"
import type { TreeRow } from "./json/json-tree.ts"
import type { Cell } from "./table/table-view.ts"
import type { ColumnType } from "./table/values.ts"

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Of the widest text among a sample of cells, in px at the common text size. */
  readonly width: number
}

export interface TableFacts {
  readonly columns: ReadonlyArray<Column>
  readonly header: boolean
}

export interface Counts {
  readonly count: number
  readonly total: number
}

export interface Cells {
  /** For each row: its place in the file, from 0, counting the names. */
  readonly records: ReadonlyArray<number>
  readonly cells: ReadonlyArray<ReadonlyArray<string>>
}

export type Opened =
  | { readonly is: "table"; readonly facts: TableFacts | undefined; readonly unclosed: boolean }
  /** `table`: whether it is one too, and which of the two a reader meets first. `twice`: whether an object says a name twice. */
  | { readonly is: "tree"; readonly rows: number; readonly table: "none" | "first" | "second"; readonly twice: boolean }
  | { readonly is: "broken"; readonly why: string; readonly line: number; readonly column: number; readonly text: string; readonly whole: boolean }

export interface WorkerApi {
  /** Resolves once the whole file has been read. */
  readonly open: (format: string, src: string, type: string, bytes: number) => Promise<Opened>
  readonly asTable: () => TableFacts
  /** Undefined where a later query has come. */
  readonly view: (query: Query) => Promise<Counts | undefined>
  readonly rows: (from: number, to: number, first: number, last: number) => Cells
  readonly whole: (index: number, column: number) => string
  readonly tsv: (from: number, to: number, first: number, last: number) => string
  readonly indexOf: (record: number) => number
  /** -1 for `record`: the quoted text is nowhere; for `index` alone: it is not among the rows that show. */
  readonly locate: (record: number, column: number, quoted: Quoted | undefined) => { readonly record: number; readonly index: number }
  /** Which of these columns says the quoted text in that row, or the first. */
  readonly likeliest: (record: number, columns: ReadonlyArray<number>, quoted: Quoted) => number
  /** The cell that an anchor means which was written by hand, and its row among those that show. */
  readonly seek: (record: number | undefined, column: number | undefined, quoted: Quoted) => (Cell & { readonly index: number }) | undefined
  readonly tree: (from: number, to: number) => ReadonlyArray<TreeRow>
  /** By a node's id, since rows may move while a message is under way. */
  readonly fold: (id: number, open: boolean) => { readonly index: number; readonly rows: number }
  readonly rowWith: (id: number) => number
  readonly unfold: (all: boolean) => { readonly index: number; readonly rows: number }
  readonly parent: (index: number) => number
  readonly place: (index: number) => { readonly path: string; readonly value: string; readonly prefix: string; readonly suffix: string }
  readonly search: (words: string) => Promise<number | undefined>
  readonly match: (index: number) => { readonly index: number; readonly rows: number }
  /** The path now of the value that had this path in an earlier version, or that says what was quoted by hand. */
  readonly sought: (path: string | undefined, quoted: Quoted | undefined) => Promise<string | undefined>
  /** The rows of these paths, or of what they are folded away in. */
  readonly nearest: (paths: ReadonlyArray<string>) => ReadonlyArray<{ readonly index: number; readonly own: boolean }>
  readonly reveal: (path: string) => { readonly index: number; readonly rows: number }
}

/** Progress while a file arrives. */
export interface News {
  readonly bytes: number
  readonly total: number
  readonly rows: number
  readonly facts?: TableFacts | undefined
}

export type Asked = { readonly id: number; readonly name: keyof WorkerApi; readonly args: ReadonlyArray<unknown> }
export type Answered = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failed: string } | { readonly news: News }

type Remote<Api> = { readonly [Name in keyof Api]: Api[Name] extends (...args: infer Args) => infer Result ? (...args: Args) => Promise<Awaited<Result>> : never }

export type DataWorker = Remote<WorkerApi>

export const startWorker = (heard: (news: News) => void): DataWorker => {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" })
  const waiting = new Map<number, { readonly done: (value: never) => void; readonly failed: (error: Error) => void }>()
  let ids = 0
  let stopped = false
  worker.addEventListener("message", ({ data }: MessageEvent<Answered>) => {
    if ("news" in data) return heard(data.news)
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    if ("failed" in data) asked?.failed(new Error(data.failed))
    else asked?.done(data.value as never)
  })
  worker.addEventListener("error", () => {
    stopped = true
    for (const { failed } of waiting.values()) failed(new Error("stopped"))
    waiting.clear()
  })
  return new Proxy({} as DataWorker, {
    get: (_, name: keyof WorkerApi) => (...args: ReadonlyArray<unknown>) =>
      new Promise((done, failed) => {
        if (stopped) return failed(new Error("stopped"))
        waiting.set(++ids, { done, failed })
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none.
        worker.postMessage({ id: ids, name, args } satisfies Asked)
      })
  })
}
