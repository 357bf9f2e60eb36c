/** What a document's page and the frame that draws its diagrams say to each other. */

/** Colours as `#rrggbb`, as they are now. */
export interface Palette {
  readonly dark: boolean
  readonly sheet: string
  readonly desk: string
  readonly ink: string
  readonly muted: string
  readonly line: string
  readonly accent: string
  readonly good: string
  readonly warn: string
  readonly bad: string
  readonly blue: string
}

export interface Ask {
  readonly id: number
  readonly source: string
  readonly palette: Palette
  /** Of the column that it will stand in. */
  readonly width: number
}

/** The first one, with `ready`, says that the frame can be asked. */
export type Answer =
  | { readonly id: 0; readonly ready: true }
  | { readonly id: number; readonly svg: string; readonly name: string }
  | { readonly id: number; readonly fault: string; readonly late: boolean }
