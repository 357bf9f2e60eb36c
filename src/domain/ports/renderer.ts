/** Markdown made into HTML that is safe to show on a project's own origin: whatever its author wrote, nothing in it runs. */
import { Context } from "effect"
import type { Effect } from "effect"

export interface Source {
  readonly text: string
  /** The document's path in its version: what its relative addresses start from. */
  readonly path: string
  /** Paths of the version's own images. */
  readonly images: ReadonlyArray<string>
}

export interface Heading {
  /** Of the element in the HTML. */
  readonly id: string
  readonly depth: number
  readonly text: string
}

export interface Rendered {
  readonly html: string
  /** Its headings of the first three ranks, in order. */
  readonly headings: ReadonlyArray<Heading>
  /** As its front matter says, or its first heading. */
  readonly title: string | null
  /**
   * Why another time may do better; absent where none would. `late`: it took too long here and now. `unbegun`: nothing was there
   * to render it, which says nothing of the document.
   */
  readonly short?: "late" | "unbegun"
}

export class Renderer extends Context.Service<Renderer, {
  /** Moves whenever the same text would be rendered differently. */
  readonly edition: number
  /** Never fails: a document that cannot be rendered in time is shown as its text. */
  readonly render: (source: Source) => Effect.Effect<Rendered>
}>()("svc/domain/ports/Renderer") {}
