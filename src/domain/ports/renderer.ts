/** Renders Markdown as HTML that is safe on a project's own origin: nothing that the author wrote runs. */
import { Context } from "effect"
import type { Effect } from "effect"

export interface Source {
  readonly text: string
  /** The document's path in its version, which relative addresses are resolved against. */
  readonly path: string
  /** Paths of the version's own images. */
  readonly images: ReadonlyArray<string>
  /** Of pictures that were taken out of the text: how their names begin, and the address of the document that they are in. */
  readonly pictures?: { readonly mark: string; readonly address: string }
}

export interface Heading {
  /** The id of the element in the HTML. */
  readonly id: string
  readonly depth: number
  readonly text: string
}

export interface Rendered {
  readonly html: string
  /** Its headings of the first three ranks, in order. */
  readonly headings: ReadonlyArray<Heading>
  /** From the front matter, else the first heading. */
  readonly title: string | null
  /**
   * Why the document was not fully rendered, if another attempt may succeed. `late`: it took too long, or more memory than could be given, this time. `unbegun`: no renderer
   * was available, which says nothing about the document.
   */
  readonly short?: "late" | "unbegun"
  /** Where pictures begin that have to be in the text: without them, this rendering is of no use. */
  readonly spilled?: ReadonlyArray<number>
}

export class Renderer extends Context.Service<Renderer, {
  /** Incremented whenever the same text would be rendered differently. */
  readonly edition: number
  /** Never fails: a document that cannot be rendered in time is shown as its text. */
  readonly render: (source: Source) => Effect.Effect<Rendered>
}>()("svc/domain/ports/Renderer") {}
