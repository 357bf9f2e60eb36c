/** The comment begun in the panel: its anchor, which is kept for this window, and its field. */
import type { Anchor } from "../stage.ts"
import { quoteOf } from "./card.ts"
import { composer } from "./composer.ts"
import { make } from "./elements.ts"
import { keep, kept, keptUnder } from "./keeping.ts"
import type { Placed } from "./outline.ts"
import type { Places } from "./placed.ts"
import type { Reader } from "./reader.ts"

export interface DraftOptions {
  readonly places: Places
  readonly who: Reader
  readonly post: (body: string, anchor: Anchor, as: string | undefined) => Promise<void>
  /** The reader cancelled the comment. */
  readonly cancelled: () => void
}

/** The typed text is kept under its anchor. */
const NEW = "new "
const keyOf = (anchor: Anchor): string => NEW + JSON.stringify(anchor)

const anchorIn = (text: string | null): Anchor | undefined => {
  try {
    return JSON.parse(text ?? "") as Anchor
  } catch {
    return undefined
  }
}

export const drafting = ({ cancelled, places, post, who }: DraftOptions) => {
  let begun: { readonly anchor: Anchor, readonly element: HTMLElement } | undefined

  const end = (): void => {
    begun = undefined
    keep("anchor", null)
    places.drop("draft")
  }
  const field = (anchor: Anchor) => composer({
    key: keyOf(anchor), label: "Your comment", action: "Comment",
    send: (body, as) => post(body, anchor, as),
    who,
    cancel: () => {
      end()
      cancelled()
    }
  })

  const fill = ({ anchor, element }: NonNullable<typeof begun>): true => {
    // A field that is there already stays, whoever is signed in.
    if (element.querySelector("form") !== null) return true
    const before = element.querySelector(".way-in")
    const hadFocus = before?.contains(document.activeElement) === true
    before?.remove()
    if (who.state() !== "somebody") element.append(who.wayIn())
    else if (who.mayComment()) {
      const { element: form, focus } = field(anchor)
      element.append(form)
      focus()
    } else end()
    if (hadFocus) element.querySelector<HTMLElement>("textarea,a,button")?.focus({ preventScroll: true })
    return true
  }

  return {
    isBegun: (): boolean => begun !== undefined,
    placed: (): ReadonlyArray<Placed> => begun === undefined ? [] : [{ ...begun, place: places.of("draft") }],
    /** Replaces a comment begun before; its text moves along, unless it is being sent. */
    begin: (anchor: Anchor): HTMLElement => {
      if (begun !== undefined && begun.element.querySelector("[aria-busy]") === null) {
        const typed = kept(keyOf(begun.anchor))
        keep(keyOf(begun.anchor), null)
        if (typed !== null) keep(keyOf(anchor), typed)
      }
      keep("anchor", JSON.stringify(anchor))
      begun?.element.remove()
      const about = make("p", { className: "about", textContent: quoteOf({ anchor: { ...anchor, where: anchor.time !== undefined ? "this moment" : anchor.width !== undefined ? "this part" : "this spot" } }) })
      const element = make("section", { className: "thread draft" }, about)
      element.setAttribute("aria-label", "New comment")
      begun = { anchor, element }
      places.add("draft", anchor)
      return element
    },
    /** Called once it is known who reads: adds the field, or the way to sign in. False if the comment was given up meanwhile. */
    fill: (element: HTMLElement): boolean => begun?.element === element && fill(begun),
    /** It has become known who reads, or is unknown again: a begun comment that waits for that is filled again. */
    know: (): void => {
      if (begun?.element.querySelector(".way-in") != null) fill(begun)
    },
    /** The begun comment was posted; another one begun meanwhile stays, and so does one with words typed meanwhile. */
    posted: (body: string, anchor: Anchor | undefined): void => {
      if (begun === undefined || begun.anchor !== anchor) return
      const typed = kept(keyOf(begun.anchor))
      if (typed === null || typed.trim() === body) end()
    },
    /** The anchor of the comment that was begun when this window was left. */
    kept: (): Anchor | undefined => anchorIn(kept("anchor")),
    /** The anchors that text had been typed about when this window was left. */
    typed: (): ReadonlyArray<Anchor> => keptUnder(NEW).flatMap((text) => anchorIn(text) ?? [])
  }
}

export type Drafting = ReturnType<typeof drafting>
