/** Who reads: unknown until the service is asked, which happens when somebody is about to write. */
import { Refused } from "./client.ts"
import type { Client } from "./client.ts"
import { button, make } from "./elements.ts"
import { keptFor } from "./keeping.ts"
import { cameBack, forgetAway, wayIn } from "./way-in.ts"
import type { You } from "./wire.ts"

export interface ReaderOptions {
  readonly base: string
  readonly client: Client
  /** Asks as whoever the service now knows, and calls `told`; where comments may have been missed, lists them too. */
  readonly load: () => Promise<void>
  readonly changed: () => void
}

export const reader = ({ base, changed, client, load }: ReaderOptions) => {
  let you: You | null = null
  let state: "unknown" | "nobody" | "somebody" = "unknown"
  /** The reader left to sign in, and is not known to have done so. */
  let wasAway = cameBack()
  let asking: Promise<void> | undefined
  /** Why the last try to find out who reads failed. */
  let fault: string | undefined

  /** Also waits until it is told what the reader may do. */
  const ask = async (): Promise<void> => {
    try {
      const token = await client.signIn()
      if (token !== undefined) await load()
      state = token === undefined ? "nobody" : "somebody"
      fault = undefined
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error)
    }
    if (state === "somebody") {
      wasAway = false
      forgetAway()
    }
    changed()
  }

  /** Asked when somebody is about to write, not for everybody who reads. */
  const identify = (): Promise<void> => state === "somebody" ? Promise.resolve() : asking ??= ask().finally(() => (asking = undefined))

  const unknown = (): HTMLElement => {
    const words = make("p", { className: "trouble", textContent: fault ?? "" })
    words.setAttribute("role", "alert")
    return make("div", { className: "way-in" }, words, make("p", { className: "row" }, button("Try again", () => void identify())))
  }

  return {
    you: () => you,
    person: client.person,
    state: () => state,
    fault: () => fault,
    /** If no list has told, the reader may write, and the service decides. */
    mayComment: (): boolean => state === "somebody" && you?.may_comment !== false,
    /** Signed in, but not allowed to comment. */
    onlyReads: (): boolean => state === "somebody" && you?.may_comment === false,
    wasAway: () => wasAway,
    /** In place of a field: the way to sign in, or why it is not known who reads. */
    wayIn: (): HTMLElement => state === "unknown" ? unknown() : wayIn(base, wasAway),
    /** Beside a field whose text was refused because the session is over. */
    wayOn: (error: unknown): HTMLElement | undefined => error instanceof Refused && error.status === 401 && !error.isShut ? wayIn(base, wasAway) : undefined,
    /** The service's answer to another request told that the session has ended or begun. Until it is told whose it is, nothing is offered as the former's. */
    turned: (isKnown: boolean): void => {
      if (asking !== undefined) return
      state = isKnown ? "somebody" : "nobody"
      you = null
      if (isKnown) return void load()
      changed()
    },
    /** Who the reader is, as a list of the comments told. */
    told: (next: You | null): void => {
      you = next
      if (you !== null) {
        state = "somebody"
        keptFor(you.id)
      }
      // Members may see what changed and publish; on a public page, only this list tells that the reader is one.
      if (you?.is_member === true) for (const id of ["versions", "publish"]) document.getElementById(id)?.removeAttribute("hidden")
    },
    identify,
    /** Another tab may have signed somebody else in, or out. */
    lookAgain: (): void => void (state === "somebody" ? client.signIn().catch(() => undefined) : identify())
  }
}

export type Reader = ReturnType<typeof reader>
