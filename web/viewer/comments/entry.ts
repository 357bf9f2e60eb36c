/** One comment or reply: author, time and text; for a while also what its author may do about it. */
import { agoOf } from "../../app/ui/times.ts"
import type { Client } from "./client.ts"
import { composer } from "./composer.ts"
import type { Writer } from "./composer.ts"
import { bodyOf, button, make, named } from "./elements.ts"
import { kept } from "./keeping.ts"
import type { Thread, Written, You } from "./wire.ts"
import { moment } from "./words.ts"

export interface EntryParts {
  /** The project's version that is shown. */
  readonly version: number
  readonly client: Client
  readonly who: Writer
  readonly you: () => You | null
  readonly isOpen: () => boolean
  readonly edited: (id: string, body: string, as: string | undefined) => Promise<void>
  readonly removed: (id: string) => Promise<void>
  /** Called once the field in it is closed. */
  readonly closed: () => void
}

export interface Entry {
  readonly element: HTMLElement
  readonly update: (written: Written) => void
}

/** Without its replies: while what it shows is the same its buttons are kept, and with them the focus and a press on them. */
const ownOf = (written: Written | Thread): string => JSON.stringify({ ...written, replies: undefined })

export const entry = (first: Written | Thread, kind: "comment" | "reply", { client, closed, edited, isOpen, removed, version, who, you }: EntryParts): Entry => {
  const element = make("div", { className: "entry" })
  let written: Written | Thread = first
  let closing: ReturnType<typeof setTimeout> | undefined
  let drawn = ""

  const left = (): number => Date.parse(written.editable_until) - client.now()
  const mayEdit = (): boolean => you()?.may_comment === true && written.author.id === you()?.id && isOpen() && left() > 0

  const doing = (): HTMLElement => {
    const box = make("div", { className: "row doing" })
    const reader = you()
    const fresh = mayEdit()
    // The buttons disappear when the right to use them ends.
    if (fresh) closing = setTimeout(show, left(), true)
    if (fresh) box.append(named(button("Edit", write), `Edit your ${kind}`))
    if (fresh || (reader?.may_comment === true && reader.may_delete_any)) box.append(named(button("Delete", sure), `Delete the ${kind} by ${written.author.name}`))
    return box
  }
  const show = (anew = false): void => {
    const { author, body, created_at: posted, edited: isEdited } = written
    const reader = you()
    const state = JSON.stringify([ownOf(written), reader?.id, reader?.may_comment, reader?.may_delete_any, isOpen()])
    if (state === drawn && !anew) return
    drawn = state
    clearTimeout(closing)
    const time = make("time", { dateTime: posted, title: moment(Date.parse(posted)), textContent: agoOf(posted, client.now()) })
    const head = make("p", { className: "by" }, make("b", { textContent: author.id === null ? "Someone who left" : author.name }), time,
      isEdited && make("span", { className: "edited", textContent: "edited" }),
      "version" in written && written.version < version && make("span", { textContent: `on version ${written.version}` }))
    element.replaceChildren(head, bodyOf(body), doing())
    if (kept(`edit ${written.id}`) !== null && mayEdit()) write()
  }
  const write = (): void => {
    clearTimeout(closing)
    const done = (isHere = true): void => {
      show(true)
      if (isHere) element.querySelector<HTMLElement>(".doing button")?.focus({ preventScroll: true })
      closed()
    }
    const field = composer({
      key: `edit ${written.id}`, label: `Change your ${kind}`, action: "Save", text: written.body, sent: done, cancel: done, who,
      send: (body, as) => body === written.body ? Promise.resolve() : edited(written.id, body, as)
    })
    element.querySelectorAll(".body, .doing").forEach((one) => one.remove())
    element.append(field.element)
    drawn = "writing"
    field.focus()
  }
  const sure = (): void => {
    const question = make("p", { className: "trouble", textContent: kind === "comment" ? "Delete this comment and its replies?" : "Delete this reply?" })
    question.setAttribute("role", "alert")
    const box = make("div", { className: "row doing" },
      button("Delete for good", () => {
        removed(written.id).catch((error: Error) => {
          show(true)
          element.append(make("p", { className: "trouble", role: "alert", textContent: error.message }))
        })
      }, "quiet bad"),
      button("Keep", () => {
        show(true)
        element.querySelector<HTMLElement>(".doing button:last-child")?.focus()
      }))
    element.querySelector(".doing")?.replaceWith(question, box)
    box.querySelector("button")?.focus()
    drawn = "asking"
  }
  show()

  return {
    element,
    update: (next) => {
      const changed = ownOf(next) !== ownOf(written)
      written = next
      const time = element.querySelector("time")
      if (time !== null) time.textContent = agoOf(written.created_at, client.now())
      // Does not interrupt somebody who is typing here.
      if (drawn !== "writing" && (drawn !== "asking" || changed)) show()
    }
  }
}
