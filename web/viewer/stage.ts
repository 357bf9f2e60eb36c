/** What a kind's module, the frame around it and the comments say to each other. */

/** Where in a document something is; fields that do not apply are absent. */
export interface Anchor {
  readonly path: string
  readonly selector?: string
  readonly quote?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly page?: number
  /** Fractions of the whole, 0 to 1. */
  readonly x?: number
  readonly y?: number
  /** Of a box whose corner is at x and y; absent for a spot. */
  readonly width?: number
  readonly height?: number
  readonly row?: number
  readonly column?: string
  /** From 1. */
  readonly line?: number
  /** In seconds. */
  readonly time?: number
}

/** Where an anchor was found in what is shown now. */
export interface Place {
  /** From the top of the window; undefined while it is not shown. */
  readonly top: () => number | undefined
  /** From the left of the window, where neither `range` nor `spot` tells. */
  readonly left?: () => number | undefined
  /** Whether it was found once and has been removed from the document since. */
  readonly isGone?: () => boolean
  /** Brings it into view and marks it. */
  readonly focus: () => void
  readonly clear: () => void
  /** For an anchor of words: they are tinted, and a click on them opens their comment. */
  readonly range?: () => Range | undefined
  /** For a spot or box that is shown: its rectangle in the window; a pin stands on its corner. */
  readonly spot?: () => DOMRect | undefined
  /** For places that are marked elsewhere (in a frame): whether their comment is being looked at. */
  readonly point?: (on: boolean) => void
  /** Called once nobody needs the place any more. */
  readonly forget?: () => unknown
}

/** The document as the comments see it. */
export interface Stage {
  /** What the reader points at now. */
  readonly capture: () => Anchor | undefined
  /** Resolves once the latest pick is known, where that has to be looked up. */
  readonly picking?: () => Promise<void>
  /** Calls the listener whenever that changes, with its position in the window. Returns how to stop. */
  readonly onCapture: (listener: (anchor: Anchor | undefined, at: DOMRect | undefined) => void) => () => void
  /** Undefined where the document has no such place any more; rejects where that cannot be said, since a part of it is not here. */
  readonly find: (anchor: Anchor) => Place | undefined | Promise<Place | undefined>
  /** Calls the listener whenever places may have moved within the document. */
  readonly onLayout: (listener: () => void) => () => void
  /** Turns marking a spot by a click on or off: for kinds where nothing can be selected. */
  readonly pointing?: (on: boolean) => void
  /** For kinds with spots: a crosshair that keys move. Resolves with what was marked; undefined once the reader has left it. */
  readonly aim?: () => Promise<Anchor | undefined>
  /** Says how to point at something, where it is not by selecting words. */
  readonly hint?: string
  /** For documents with several pages, each at its path: the page that is shown. */
  readonly path?: () => string
  readonly go?: (path: string) => void
  /** Calls the listener when a comment's mark was clicked, for marks outside this page (in a frame). */
  readonly onOpen?: (listener: (anchor: Anchor) => void) => () => void
  /** How far the document is scrolled, where this window's own scroll does not tell. */
  readonly scrolled?: () => number
}

/** A document that holds nothing to point at. */
export const nothing: Stage = { capture: () => undefined, onCapture: () => () => {}, find: () => undefined, onLayout: () => () => {} }
/** One that does not show: what it holds cannot be said. */
export const unshown: Stage = { ...nothing, find: () => Promise.reject(new Error("not shown")) }

/** What the server says of the document. */
export interface Facts {
  readonly kind: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly version: number
  /** The address of the author's bytes. */
  readonly src: string
  /** The same, for this version alone: refused once there is a newer one. */
  readonly pinned: string
  /** The address of the service. */
  readonly base: string
  readonly proof: string | undefined
}

export interface Key {
  /** As `KeyboardEvent.key` names it. */
  readonly keys: ReadonlyArray<string>
  readonly label: string
  readonly run: (event: KeyboardEvent) => void
}

/** What a kind's module may use of the page around it. */
export interface Frame {
  readonly facts: Facts
  /** `<main>`, with what the server put there. */
  readonly stage: HTMLElement
  /** The bar over the document; shown once something is in it. */
  readonly tools: HTMLElement
  /** Adds keys, and lists them in the list of keys. */
  readonly keys: (...keys: ReadonlyArray<Key>) => void
  /** Announces a text to screen readers. */
  readonly say: (text: string) => void
  /** The same, and shown to everybody for a moment: what a press did that changes nothing to be seen. */
  readonly tell: (text: string) => void
  /** Tells everybody, over the document, why it does not show. */
  readonly notice: (text: string) => void
  /** Tells that there is a newer version, for instance since the rest of this one no longer arrives. */
  readonly newer: () => void
}

/** What every `kinds/*.ts` exports as `open`. */
export type OpenKind = (frame: Frame) => Stage | Promise<Stage>

/** What the comments may use of the page around them. */
export interface CommentRoom {
  readonly button: HTMLElement
  readonly aside: HTMLElement
  /** `<main>`. */
  readonly main: HTMLElement
  readonly stage: Stage
  readonly base: string
  /** The project's version that was newest as the page was loaded. */
  readonly version: number
  /** The version that is read now; undefined where that is the newest, whichever it is. */
  readonly read: () => number | undefined
  /** Tells the reader that there is a newer version than the one they read. */
  readonly newer: () => void
  readonly proof: string | undefined
  readonly keys: Frame["keys"]
}

/** What `comments/comments.ts` exports as `mount`. */
export type MountComments = (room: CommentRoom) => void
