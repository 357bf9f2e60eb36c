/** Who reads: nobody knows until the service is asked, and it is asked when somebody is about to write. */
import { Refused } from "./client.ts"
import type { Client } from "./client.ts"
import { button, make } from "./elements.ts"
import { cameBack, forgetAway, wayIn } from "./way-in.ts"
import type { You } from "./wire.ts"

export interface ReaderOptions {
  readonly base: string
  readonly client: Client
  /** Lists the comments anew, as whom the service now knows; that tells who it is. */
  readonly load: () => Promise<void>
  readonly changed: () => void
}

export const reader = ({ base, changed, client, load }: ReaderOptions) => {
  let you: You | null = null
  let state: "unknown" | "nobody" | "somebody" = "unknown"
  /** They left to sign in, and are not known to have. */
  let wasAway = cameBack()
  let asking: Promise<void> | undefined
  /** Why it is not known who reads, where that was asked in vain. */
  let fault: string | undefined

  /** Whoever is about to write waits until it is known what they may do, too. */
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

  /** Asked when somebody is about to write, not of everybody who reads. */
  const identify = (): Promise<void> => state === "somebody" ? Promise.resolve() : asking ??= ask().finally(() => (asking = undefined))

  const unknown = (): HTMLElement => {
    const words = make("p", { className: "trouble", textContent: fault ?? "" })
    words.setAttribute("role", "alert")
    return make("div", { className: "way-in" }, words, make("p", { className: "row" }, button("Try again", () => void identify())))
  }

  return {
    you: () => you,
    state: () => state,
    fault: () => fault,
    /** Where no list came that tells, they write, and the service says whether it takes that. */
    mayComment: (): boolean => state === "somebody" && you?.may_comment !== false,
    /** Signed in, and not among those who may write. */
    onlyReads: (): boolean => state === "somebody" && you?.may_comment === false,
    wasAway: () => wasAway,
    /** In place of a field: the way in, or why it is not known who reads. */
    wayIn: (): HTMLElement => state === "unknown" ? unknown() : wayIn(base, wasAway),
    /** Beside a field whose words were refused since the session is over. */
    wayOn: (error: unknown): HTMLElement | undefined => error instanceof Refused && error.status === 401 ? wayIn(base, wasAway) : undefined,
    /** As the service said in answer to something else. */
    turned: (isKnown: boolean): void => {
      if (asking !== undefined) return
      state = isKnown ? "somebody" : "nobody"
      if (isKnown) return void load()
      you = null
      changed()
    },
    /** As a list of the comments told. */
    told: (next: You | null): void => {
      you = next
      if (you !== null) state = "somebody"
      // Members may see what changed, and on a public page nobody knew until now that this is one.
      if (you?.is_member === true) document.getElementById("versions")?.removeAttribute("hidden")
    },
    identify
  }
}

export type Reader = ReturnType<typeof reader>
