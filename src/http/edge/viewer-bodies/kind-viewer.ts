/** What a rendered kind gives the viewer: its content as HTML that reads without script, and the module that adds to it. */
import type { Manifest } from "../../../domain/hosting/model.ts"
import type { Rendered } from "../../../domain/ports/renderer.ts"
import type { Html } from "../../../look/html.ts"

interface ViewerFacts {
  readonly title: string
  /** The entry's path in the version, and its content type. */
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly files: Manifest
  /** The address of the author's file of this name. */
  readonly raw: (name: string) => string
  /** The entry's address for this version only: for what is read in parts. */
  readonly pinned: string
  /** The address of the entry as browsers show it. */
  readonly shown: string
  /** A Markdown as HTML; undefined where it is too long for that, `coming` where it is not rendered yet. */
  readonly rendered: () => Promise<Rendered | "coming" | undefined>
}

/** Reads the entry's first bytes, at most `most`. */
type Read = (most: number) => Promise<Buffer>

export interface KindViewer {
  /** A module of the web build, whose styles the page links. */
  readonly module: string
  /** What stands in `<main>`; empty where the file holds nothing to read. Never changes for a version, so it is made once. */
  readonly body: (facts: ViewerFacts, read: Read) => Html | Promise<Html>
}
