/** What a rendered kind gives the viewer: its content as HTML that reads without script, and the module that adds to it. */
import type { Manifest } from "../../../domain/hosting/model.ts"
import type { Rendered } from "../../../domain/ports/renderer.ts"
import type { Html } from "../../../look/html.ts"

export interface ViewerFacts {
  readonly title: string
  /** The entry's own: its path in the version, and what it is. */
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly files: Manifest
  /** Where the author's bytes of this name are. */
  readonly raw: (name: string) => string
  /** The entry's, of this version alone: for what is read in parts. */
  readonly pinned: string
  /** A Markdown as HTML; undefined where it is too long for that, `coming` where it is not there yet. */
  readonly rendered: () => Promise<Rendered | "coming" | undefined>
}

/** The entry's first bytes, at most so many. */
export type Read = (most: number) => Promise<Buffer>

export interface KindViewer {
  /** Of the web build, whose styles belong to the page; none where the content needs no script. */
  readonly module?: string
  /** What stands in `<main>`. Never changes for a version, so it is made once. */
  readonly body: (facts: ViewerFacts, read: Read) => Html | Promise<Html>
}
