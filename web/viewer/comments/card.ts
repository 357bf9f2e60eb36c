/** A thread: what it is about, the comment, its replies, and what a reader may do next. Far from the view only the comment's words. */
import { earlierThan, firstShown, showEarlier } from "../../app/ui/earlier.ts"
import { composer } from "./composer.ts"
import { button, make, named } from "./elements.ts"
import { entry } from "./entry.ts"
import type { Entry, EntryParts } from "./entry.ts"
import { kept } from "./keeping.ts"
import type { Thread } from "./wire.ts"
import { isGeneral, onPage, sentence } from "./words.ts"

export interface CardParts extends Omit<EntryParts, "isOpen" | "closed"> {
  readonly reply: (thread: string, body: string, as: string | undefined) => Promise<void>
  readonly settle: (thread: string, status: Thread["status"]) => Promise<void>
  readonly jump: (thread: string) => void
  readonly hover: (thread: string | undefined) => void
  readonly hold: (thread: string) => void
  /** Called once nobody writes in it any more. */
  readonly closed: (thread: string) => void
  /** Called once earlier replies are shown. */
  readonly unfolded: () => void
}

export interface Card {
  readonly element: HTMLElement
  /** `isGone`: the thread was deleted; the card stays for the text being written in it. */
  readonly update: (thread: Thread, isGone: boolean) => void
  /** Makes all of it. */
  readonly fill: () => void
  /** The thread as last updated. */
  readonly thread: () => Thread
  /** Whether a reply or an edit is being written in it: then it stays where it is. */
  readonly isWriting: () => boolean
}

/** Whether words that were typed in this window wait here to be sent: a reply, or a change to what may still be changed. */
export const hasWords = ({ replies, status, ...comment }: Thread, now: number): boolean =>
  kept(`reply ${comment.id}`) !== null ||
  status === "open" && [comment, ...replies].some(({ editable_until: until, id }) => kept(`edit ${id}`) !== null && Date.parse(until) > now)

const hasField = (element: HTMLElement): boolean => element.querySelector("form") !== null

export const quoteOf = ({ anchor }: Pick<Thread, "anchor">): string =>
  anchor === null || isGeneral(anchor) ? "" : anchor.quote?.trim() || sentence(anchor.where).replaceAll(/(\d) %/g, "$1\u00a0%")

/** `isHere`: whether the thread is on the page that is shown. */
export const card = (first: Thread, parts: CardParts, isHere: (thread: Thread) => boolean): Card => {
  let thread = first
  let writing = false
  let isGone = false
  /** The state that the buttons were last drawn for: while it is the same they are kept, and with them the focus and a press on them. */
  let drawn = ""
  const entryParts: EntryParts = { ...parts, you: () => isGone ? null : parts.you(), isOpen: () => thread.status === "open", closed: () => parts.closed(thread.id) }
  const about = make("button", { type: "button", className: "about", onclick: () => parts.jump(thread.id) })
  const brief = make("p", { className: "body" })
  /** Undefined until the card is filled. */
  let head: Entry | undefined
  const replies = new Map<string, Entry>()
  /** The first reply shown. */
  let from = firstShown(thread.replies)
  const unfold = (): void => {
    from = undefined
    draw()
    list.querySelector("li")?.focus({ preventScroll: true })
    parts.unfolded()
  }
  const earlier = button("", unfold)
  const list = make("ol", { className: "replies" })
  const state = make("p", { className: "state" })
  const foot = make("div", { className: "foot" })
  const trouble = make("p", { className: "trouble" })
  trouble.setAttribute("role", "alert")
  const element = make("article", { className: "thread brief", id: `comment-${thread.id}`, tabIndex: -1 }, brief)

  const settle = async (status: Thread["status"]): Promise<void> => {
    trouble.textContent = ""
    await parts.settle(thread.id, status).catch((error: Error) => (trouble.textContent = error.message))
  }
  const write = (): void => {
    writing = true
    drawn = ""
    const done = (isHere = true): void => {
      writing = false
      act()
      if (isHere) foot.querySelector("button")?.focus({ preventScroll: true })
      parts.closed(thread.id)
    }
    const field = composer({
      key: `reply ${thread.id}`, label: "Reply", action: "Reply", send: (body, as) => parts.reply(thread.id, body, as), sent: done, cancel: done, who: parts.who
    })
    foot.replaceChildren(field.element)
    field.focus()
  }
  const act = (): void => {
    if (writing) return
    const you = entryParts.you()
    const isOpen = thread.status === "open"
    const mayReply = you?.may_comment === true
    const maySettle = mayReply && (you.is_member || you.id === thread.author.id)
    const author = thread.author.name
    const settles = isOpen ? "Resolve" : "Reopen"
    const state = JSON.stringify([isOpen, mayReply, maySettle, author])
    if (state === drawn) return
    drawn = state
    const hadFocus = foot.contains(document.activeElement)
    foot.replaceChildren(...[
      mayReply && named(button("Reply", write), `Reply to ${author}`),
      maySettle && named(button(settles, () => void settle(isOpen ? "resolved" : "open")), `${settles} the comment by ${author}`)
    ].filter((one) => one !== false))
    if (hadFocus) foot.querySelector("button")?.focus({ preventScroll: true })
    if (mayReply && kept(`reply ${thread.id}`) !== null) write()
  }
  const draw = (): void => {
    const { replies: given, resolved_by: by, status } = thread
    const quote = isHere(thread) ? quoteOf(thread) : onPage(thread.anchor!)
    about.hidden = quote === ""
    about.textContent = quote
    about.title = quote
    head?.update(thread)
    for (const [id, { element }] of replies) {
      if (given.some((one) => one.id === id) || hasField(element)) continue
      element.parentElement?.remove()
      replies.delete(id)
    }
    const folded = earlierThan(from, given)
    earlier.hidden = folded === 0
    earlier.textContent = showEarlier(folded)
    let next: Element | null = null
    for (const reply of given.slice(folded).toReversed()) {
      const before = replies.get(reply.id)
      const made: Entry = before ?? entry(reply, "reply", entryParts)
      if (before !== undefined) before.update(reply)
      else list.insertBefore(make("li", { tabIndex: -1 }, made.element), next)
      replies.set(reply.id, made)
      next = made.element.parentElement
    }
    list.hidden = given.length === 0
    state.hidden = status === "open" && !isGone
    state.textContent = isGone ? "This comment was deleted. What you are writing stays here until you cancel it." : by === null ? "Resolved" : `Resolved by ${by.name}`
    act()
  }
  const fill = (): void => {
    if (head !== undefined) return
    head = entry(thread, "comment", entryParts)
    element.classList.remove("brief")
    element.replaceChildren(about, head.element, earlier, list, state, foot, trouble)
    draw()
  }
  const update = (next: Thread, isLost = false): void => {
    thread = next
    isGone = isLost
    element.setAttribute("aria-label", `Comment by ${thread.author.name}`)
    if (head !== undefined) return draw()
    if (brief.textContent !== thread.body) brief.textContent = thread.body
  }
  update(thread)
  // A field opened later would take the focus from wherever it is then.
  if (hasWords(thread, parts.client.now())) fill()

  element.addEventListener("pointerenter", () => parts.hover(thread.id))
  element.addEventListener("pointerleave", () => parts.hover(undefined))
  element.addEventListener("focusin", () => {
    fill()
    parts.hold(thread.id)
  })
  return { element, update, fill, thread: () => thread, isWriting: () => hasField(element) }
}
