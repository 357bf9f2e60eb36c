/** The comment that is begun in the panel: what it is about, kept for this window, and what it is written in. */
import type { Anchor } from "../stage.ts"
import { quoteOf } from "./card.ts"
import { composer, keep, kept, keptUnder } from "./composer.ts"
import { make } from "./elements.ts"
import type { Placed } from "./outline.ts"
import type { Places } from "./placed.ts"
import type { Reader } from "./reader.ts"

export interface DraftOptions {
  readonly places: Places
  readonly who: Reader
  readonly post: (body: string, anchor: Anchor) => Promise<void>
  /** The reader thought better of it. */
  readonly cancelled: () => void
}

/** What is typed is kept together with what it is about. */
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
    send: (body) => post(body, anchor),
    wayOn: who.wayOn,
    cancel: () => {
      end()
      cancelled()
    }
  })

  const fill = ({ anchor, element }: NonNullable<typeof begun>): true => {
    // What is written in it stays, whoever reads.
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
    /** In place of another one; what is typed there comes along, unless it is on its way. */
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
    /** Once it is known who reads: the field, or the way in. False where it was given up meanwhile. */
    fill: (element: HTMLElement): boolean => begun?.element === element && fill(begun),
    /** Who reads is known now, or not any more: what is begun and waits for that is filled anew. */
    know: (): void => {
      if (begun?.element.querySelector(".way-in") != null) fill(begun)
    },
    /** It is a comment now; another one that was begun meanwhile stays. */
    posted: (anchor: Anchor | undefined): void => {
      if (begun !== undefined && begun.anchor === anchor) end()
    },
    /** What was about to be commented on when this window was left. */
    kept: (): Anchor | undefined => anchorIn(kept("anchor")),
    /** What somebody had typed about when this window was left. */
    typed: (): ReadonlyArray<Anchor> => keptUnder(NEW).flatMap((text) => anchorIn(text) ?? [])
  }
}
