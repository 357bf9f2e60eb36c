/** What a reader looks at in a table, kept over a reload: that of a newer version shows the same, as far as its columns have the same names. */
import type { Sort } from "./header.ts"

export interface Look {
  readonly text: string
  readonly sort: Sort | undefined
  readonly filters: ReadonlyArray<readonly [column: number, typed: string]>
}

type Columns = ReadonlyArray<{ readonly name: string }>

interface Named {
  readonly column: number
  readonly name: string
}

/** As it is kept, with the names of its columns. */
interface Kept {
  readonly text: string
  readonly sort: (Named & { readonly down: boolean }) | undefined
  readonly filters: ReadonlyArray<Named & { readonly typed: string }>
}

const key = (): string => `svc-table ${location.pathname}`

const kept = ({ filters, sort, text }: Look, columns: Columns): Kept => {
  const named = (column: number): Named => ({ column, name: columns[column]!.name })
  return { text, sort: sort && { ...named(sort.column), down: sort.down }, filters: filters.map(([column, typed]) => ({ ...named(column), typed })) }
}

export const keepLooked = (look: () => Look, columns: () => Columns): void =>
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(key(), JSON.stringify(kept(look(), columns())))
    } catch {
      // A browser that stores nothing shows the table as it is.
    }
  })

const before = (): Kept | undefined => {
  const [navigation] = performance.getEntriesByType("navigation")
  try {
    return (navigation as PerformanceNavigationTiming | undefined)?.type === "reload" ? JSON.parse(sessionStorage.getItem(key()) ?? "") as Kept : undefined
  } catch {
    return undefined
  }
}

/** Undefined where the page was not reloaded. What was of a column that has no such name now is left out. */
export const lookedBefore = (columns: Columns): Look | undefined => {
  const found = before()
  if (found === undefined) return undefined
  const columnNow = ({ column, name }: Named): number => columns[column]?.name === name ? column : columns.findIndex((one) => one.name === name)
  const { filters, sort, text } = found
  const sorted = sort === undefined ? -1 : columnNow(sort)
  return {
    text, sort: sorted === -1 ? undefined : { column: sorted, down: sort!.down },
    filters: filters.map((one) => [columnNow(one), one.typed] as const).filter(([column]) => column !== -1)
  }
}
