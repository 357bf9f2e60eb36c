/** Requests never answered, each with its idempotency key: sent again from this window, they make the same comment. */
import { keep, kept } from "./keeping.ts"

const SENDING = "sending"

type Keys = Readonly<Record<string, string>>

const unanswered = (): Keys => JSON.parse(kept(SENDING) ?? "{}") as Keys

const put = (keys: Keys): void => keep(SENDING, Object.keys(keys).length === 0 ? null : JSON.stringify(keys))

export const keyFor = (written: string): string => {
  const known = unanswered()
  const key = known[written] ?? crypto.getRandomValues(new Uint32Array(4)).join("-")
  put({ ...known, [written]: key })
  return key
}

export const answered = (written: string): void => {
  const { [written]: _, ...rest } = unanswered()
  put(rest)
}

/** Its writer gave it up: the same text sent again is another comment. */
export const givenUp = (body: string): void =>
  put(Object.fromEntries(Object.entries(unanswered()).filter(([written]) => (JSON.parse(written) as { readonly body: string }).body !== body)))
