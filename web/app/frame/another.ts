/**
 * The account that the screen shows, where somebody else signs in: all tabs of a browser share one session, and another tab may have
 * changed whose it is. The screen turns to whoever it is now, and what was asked in the former's name is not done (api/whose.ts).
 */
import { useQueryClient } from "@tanstack/react-query"
import type { QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { me, readMe, SIGNED_IN } from "../api/account.ts"
import type { Me } from "../api/account.ts"
import { keys } from "../api/queries.ts"
import { refusedHere } from "../api/refusal.ts"
import type { Refusal } from "../api/refusal.ts"
import { drawnFor } from "../api/whose.ts"
import { toast } from "../ui/toasts.ts"
import { forgetFormer, hasEnded, sessionEnded, sessionHolds, useSession } from "./session.ts"

const isAnother = (email: string): string => `This browser is now signed in to another account: ${email}.`

/** Whose screen this is. */
let shown: string | undefined

/** What is cached, or under way, is the former account's. */
const turnTo = (client: QueryClient, now: Me): void => {
  shown = now.user.id
  drawnFor(shown)
  forgetFormer()
  client.setQueryData(keys.me, now)
  sessionHolds()
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] })
}

/** For a change that was refused because it was asked for in the name of somebody who is not signed in any more. */
export const turnedAfter = (client: QueryClient) => async (refusal: Refusal): Promise<Refusal> => {
  const now = await readMe().catch(() => undefined)
  // Where it cannot be read right now, the next change finds out.
  if (now === undefined) return refusal
  const told = refusedHere("conflict", `${isAnother(now.user.email)} Nothing was done. Look again before you go on.`, 409)
  if (shown === now.user.id) return told
  turnTo(client, now)
  // The screen that asked begins anew, and shows no refusal of what the other one asked.
  toast({ text: told.message, tone: "bad" })
  return told
}

/** Turns the screen to whoever signs in in another tab, and says so. */
export const useWhoSignsIn = (): void => {
  const client = useQueryClient()
  const { user } = useSession()
  useEffect(() => {
    const turned = (now: Me) => {
      turnTo(client, now)
      toast({ text: `${isAnother(now.user.email)} Look again before you go on.` })
    }
    const now = client.getQueryData(me.queryKey)
    // Who is signed in was read anew here before the other tab had told of it.
    if (shown !== undefined && shown !== user.id && now?.user.id === user.id) turned(now)
    shown = user.id
    const noted = async ({ key, newValue }: StorageEvent) => {
      if (key !== SIGNED_IN || newValue === user.id) return
      if (newValue === null) return hasEnded() ? sessionEnded() : undefined
      const now = await readMe()
      if (now.user.id !== user.id) turned(now)
    }
    // Where it cannot be read right now, the next change finds out.
    const heard = (event: StorageEvent) => void noted(event).catch(() => undefined)
    addEventListener("storage", heard)
    return () => removeEventListener("storage", heard)
  }, [client, user.id])
}
