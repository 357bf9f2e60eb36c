/** Draws documents small, and whole where browsers do not show them. What it answers is our own picture: of the bytes that it was given, only what the colours of a whole one mean. */
import { Context } from "effect"
import type { Effect } from "effect"

export interface Drawing {
  /** WebP. */
  readonly image: Uint8Array
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** WebP too: a picture in full, where browsers do not show it as it is; null for all others. */
  readonly whole: Uint8Array | null
}

export class Thumbnailer extends Context.Service<Thumbnailer, {
  /** Never fails. `none`: this cannot be drawn. `unbegun`: there was nothing to draw it with, which says nothing about it. */
  readonly draw: (document: { readonly type: string; readonly bytes: Uint8Array }) => Effect.Effect<Drawing | "none" | "unbegun">
}>()("svc/domain/ports/Thumbnailer") {}
