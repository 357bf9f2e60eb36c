/** What a kind's module, the frame around it and the comments say to each other. */

/** Where in a document something is; what does not apply is absent. */
export interface Anchor {
  readonly path: string
  readonly selector?: string
  readonly quote?: string
  readonly prefix?: string
  readonly suffix?: string
  readonly page?: number
  /** Parts of the whole, 0 to 1. */
  readonly x?: number
  readonly y?: number
  /** Of a box whose corner is x and y; absent: a spot. */
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
  /** From its left, where neither words nor a spot say so. */
  readonly left?: () => number | undefined
  /** Found once, and taken away while the document is looked at. */
  readonly isGone?: () => boolean
  /** Brings it into view and marks it. */
  readonly focus: () => void
  readonly clear: () => void
  /** The words, where it is words: they are tinted, and open their comment when clicked. */
  readonly range?: () => Range | undefined
  /** The spot or box in the window, where it is one and shown: a pin stands on its corner. */
  readonly spot?: () => DOMRect | undefined
  /** For what is marked by others: whether its comment is looked at. */
  readonly point?: (on: boolean) => void
  /** Nobody asks for it any more. */
  readonly forget?: () => unknown
}

/** The document as the comments see it. */
export interface Stage {
  /** What the reader points at now. */
  readonly capture: () => Anchor | undefined
  /** Over once what was picked last is known, where that has to be looked up. */
  readonly picking?: () => Promise<void>
  /** Told whenever that changes, with where it is in the window. Answers how to stop. */
  readonly onCapture: (listener: (anchor: Anchor | undefined, at: DOMRect | undefined) => void) => () => void
  readonly find: (anchor: Anchor) => Place | undefined | Promise<Place | undefined>
  /** Told whenever places may have moved within the document. */
  readonly onLayout: (listener: () => void) => () => void
  /** Whether a click marks a spot: for kinds where nothing can be selected. */
  readonly pointing?: (on: boolean) => void
  /** For kinds with spots: a crosshair that keys move. Answers what was marked with it; undefined once the reader left it. */
  readonly aim?: () => Promise<Anchor | undefined>
  /** How something is pointed at, where it is not by selecting words. */
  readonly hint?: string
  /** Where the document has several pages, each at its path: the one that is shown. */
  readonly path?: () => string
  readonly go?: (path: string) => void
  /** Told when a comment's mark was clicked, for marks that are not of this page. */
  readonly onOpen?: (listener: (anchor: Anchor) => void) => () => void
  /** How far the document is scrolled, where this window's own scroll does not say. */
  readonly scrolled?: () => number
}

/** What the server says of the document. */
export interface Facts {
  readonly kind: string
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly version: number
  /** Where the author's bytes are. */
  readonly src: string
  /** The same, of this version alone: refused once there is a newer one. */
  readonly pinned: string
  /** Where the service is. */
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
  /** Adds keys, and says so in the list of keys. */
  readonly keys: (...keys: ReadonlyArray<Key>) => void
  /** For those who hear the page. */
  readonly say: (text: string) => void
  /** For everybody, over the document: why it does not show. */
  readonly notice: (text: string) => void
  /** The same, where a newer version is published: the rest of this one does not come any more. */
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
  readonly proof: string | undefined
  readonly keys: Frame["keys"]
}

/** What `comments/comments.ts` exports as `mount`. */
export type MountComments = (room: CommentRoom) => void
