/** What a framed page's bridge and the shell around it say to each other; each checks the other's origin. */

export interface Selected {
  readonly quote: string
  /** A little of the text on either side, which tells one occurrence of the quote from another. */
  readonly prefix: string
  readonly suffix: string
  /** A CSS selector of the element that contains all of it. */
  readonly selector: string
}

export type FromBridge =
  /** Where the frame is now: path, query and hash. `hello` on the first message of a document, and once asked for again; `born`: another number for each document. */
  | { readonly svc: "at"; readonly hello: boolean; readonly born: number; readonly url: string; readonly title: string }
  /** The reader followed a link that the frame itself cannot open; `top` where the link targets this very window. */
  | { readonly svc: "open"; readonly url: string; readonly top: boolean }
  /** Null once nothing is selected. `at`: left, top, width and height in the frame; `scrolled`: how far the frame was scrolled then. */
  | { readonly svc: "selection"; readonly selected: Selected | null; readonly at: Box | null; readonly scrolled: number }
  /** Where the words asked for are, from the top and left of the frame; null where they are not found. `scrolled`: how far the frame is scrolled. */
  | { readonly svc: "places"; readonly scrolled: number; readonly places: ReadonlyArray<readonly [id: string, top: number | null, left: number]> }
  /** A reader clicked words that are commented on. */
  | { readonly svc: "pick"; readonly id: string }
  /** The page is about to print itself, as it was asked to. */
  | { readonly svc: "printing" }
  /** A reader pressed one of the comments' keys. */
  | { readonly svc: "key"; readonly key: string }

/** What the bridge in a frame of the author's own asks of the one in the page around it. */
export type FromInner =
  | Extract<FromBridge, { svc: "open" }>
  /** The reader followed a link that leads the page around the frame on, `_top` or `_parent`: in a sandbox a frame leads nothing but what is within it. */
  | { readonly svc: "lead"; readonly url: string; readonly above: string }

export type Box = readonly [left: number, top: number, width: number, height: number]

export type FromShell =
  /** The shell begins to listen, and asks for the first message again: the frame's document may have begun before it. */
  | { readonly svc: "hello" }
  /** The part of a deep link that no server sees. */
  | { readonly svc: "go"; readonly hash: string }
  /** Print the page, all of it. */
  | { readonly svc: "print" }
  /** These words are commented on: find and mark them, and say where they are from now on. */
  | { readonly svc: "find"; readonly id: string; readonly selected: Selected }
  | { readonly svc: "forget"; readonly id: string }
  /** Scrolls the words into view. */
  | { readonly svc: "focus"; readonly id: string }
  /** Whether their comment is being looked at. */
  | { readonly svc: "point"; readonly id: string; readonly on: boolean }
