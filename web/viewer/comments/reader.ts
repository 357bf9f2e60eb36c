/** Who reads: nobody knows until the service is asked, and it is asked when somebody is about to write. */
import type { Client } from "./client.ts"
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

  /** Whoever is about to write waits until it is known what they may do, too. */
  const ask = async (): Promise<void> => {
    try {
      const token = await client.signIn()
      if (token !== undefined) await load()
      state = token === undefined ? "nobody" : "somebody"
    } catch {
      state = "nobody"
    }
    if (state === "somebody") {
      wasAway = false
      forgetAway()
    }
    changed()
  }

  return {
    you: () => you,
    state: () => state,
    /** Where no list came that tells, they write, and the service says whether it takes that. */
    mayComment: (): boolean => state === "somebody" && you?.may_comment !== false,
    /** Signed in, and not among those who may write. */
    onlyReads: (): boolean => state === "somebody" && you?.may_comment === false,
    wasAway: () => wasAway,
    wayIn: (): HTMLElement => wayIn(base, wasAway),
    /** As a list of the comments told. */
    told: (next: You | null): void => {
      you = next
      if (you !== null) state = "somebody"
      // Members may see what changed, and on a public page nobody knew until now that this is one.
      if (you?.is_member === true) document.getElementById("versions")?.removeAttribute("hidden")
    },
    /** Asked when somebody is about to write, not of everybody who reads. */
    identify: (): Promise<void> => state === "somebody" ? Promise.resolve() : asking ??= ask().finally(() => (asking = undefined))
  }
}

export type Reader = ReturnType<typeof reader>
