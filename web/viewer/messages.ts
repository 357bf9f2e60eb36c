/** What a framed page's bridge and the shell around it say to each other; each checks the other's origin. */

export interface Selected {
  readonly quote: string
  /** A little of the text on either side, which tells one occurrence of the quote from another. */
  readonly prefix: string
  readonly suffix: string
  /** Of the element that holds all of it. */
  readonly selector: string
}

export type FromBridge =
  /** Where the frame is now: path, query and hash. `hello` on the first message of a document. */
  | { readonly svc: "at"; readonly hello: boolean; readonly url: string; readonly title: string }
  /** The reader followed a link that the frame itself cannot open; `top` where it asked for this very window. */
  | { readonly svc: "open"; readonly url: string; readonly top: boolean }
  /** Null once nothing is selected any more. */
  | { readonly svc: "selection"; readonly selected: Selected | null }

/** The part of a deep link that no server sees. */
export type FromShell = { readonly svc: "go"; readonly hash: string }
