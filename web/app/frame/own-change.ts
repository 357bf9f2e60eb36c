/**
 * The account that the screen shows, and changes made in its name: all tabs of a browser share one session, and another
 * tab may have changed whose it is.
 */
import { useQueryClient } from "@tanstack/react-query"
import type { QueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { me, readMe, SIGNED_IN } from "../api/account.ts"
import type { Me } from "../api/account.ts"
import { keys, useChange } from "../api/queries.ts"
import type { Change } from "../api/queries.ts"
import { refusedHere } from "../api/refusal.ts"
import type { Refusal } from "../api/refusal.ts"
import { toast } from "../ui/toasts.ts"
import { forgetFormer, hasEnded, sessionEnded, sessionHolds, useSession } from "./session.ts"

const isAnother = (email: string): string => `This browser is now signed in to another account: ${email}.`

const refused = (email: string): Refusal => refusedHere("conflict", `${isAnother(email)} Nothing was done. Look again before you go on.`, 409)

/** Whose screen this is. */
let shown: string | undefined

/** What is cached, or under way, is the former account's. */
const turnTo = (client: QueryClient, now: Me): void => {
  shown = now.user.id
  forgetFormer()
  client.setQueryData(keys.me, now)
  sessionHolds()
  void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] })
}

/** For changes of the account itself, and those that let somebody in: made only in the name of the account that the screen shows. */
export const useOwnChange = <Input, Output>(change: Change<Input, Output>, options?: Parameters<typeof useChange>[1]) => {
  const client = useQueryClient()
  const { user } = useSession()
  const send = async (input: Input): Promise<Output> => {
    const now = await readMe()
    if (now.user.id === user.id) return change.send(input)
    const refusal = refused(now.user.email)
    turnTo(client, now)
    // The screen that asked begins anew, and shows no refusal of what the other one asked.
    toast({ text: refusal.message, tone: "bad" })
    throw refusal
  }
  // Nothing is shown ahead of the answer: taken back, it would cover what is the other account's.
  return useChange({ ...change, send, shows: () => [] }, options)
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
