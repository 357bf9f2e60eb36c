/**
 * A change in the name of the account that the screen shows: all tabs of a browser share one session, and another tab
 * may have changed whose it is.
 */
import { useQueryClient } from "@tanstack/react-query"
import { readMe } from "../api/account.ts"
import { keys, useChange } from "../api/queries.ts"
import type { Change } from "../api/queries.ts"
import { Refusal } from "../api/refusal.ts"
import { useSession } from "./session.ts"

const isAnother = (email: string): Refusal =>
  new Refusal({ code: "conflict", message: `This browser is now signed in to another account: ${email}. Nothing was done. Look again before you go on.`, field: null, details: {} }, 409, null)

/** For changes that let somebody in: made only in the name of the account that the screen shows. */
export const useOwnChange = <Input, Output>(change: Change<Input, Output>, options?: Parameters<typeof useChange>[1]) => {
  const client = useQueryClient()
  const { user } = useSession()
  const send = async (input: Input): Promise<Output> => {
    const now = await readMe()
    if (now.user.id === user.id) return change.send(input)
    client.setQueryData(keys.me, now)
    // What is cached is the other account's.
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.me[0] })
    throw isAnother(now.user.email)
  }
  return useChange({ ...change, send }, options)
}
