/** What a reader looks at in a table, kept over a reload: that of a newer version shows the same, as far as its columns have the same names. */

interface Named {
  readonly column: number
  readonly name: string
}

export interface Looked {
  readonly text: string
  readonly sort: (Named & { readonly down: boolean }) | undefined
  readonly filters: ReadonlyArray<Named & { readonly typed: string }>
}

const key = (): string => `svc-table ${location.pathname}`

export const keepLooked = (looked: () => Looked): void =>
  addEventListener("pagehide", () => {
    try {
      sessionStorage.setItem(key(), JSON.stringify(looked()))
    } catch {
      // A browser that stores nothing shows the table as it is.
    }
  })

/** Undefined where the page was not reloaded. */
export const lookedBefore = (): Looked | undefined => {
  const [navigation] = performance.getEntriesByType("navigation")
  try {
    return (navigation as PerformanceNavigationTiming | undefined)?.type === "reload" ? JSON.parse(sessionStorage.getItem(key()) ?? "") as Looked : undefined
  } catch {
    return undefined
  }
}

/** -1 where no column has this name now. */
export const columnNow = ({ column, name }: Named, columns: ReadonlyArray<{ readonly name: string }>): number =>
  columns[column]?.name === name ? column : columns.findIndex((one) => one.name === name)
