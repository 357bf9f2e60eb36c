/** `X-Request-Id`: a sane incoming one is kept, so that a caller’s logs and ours can be laid side by side. */
import { randomUUID } from "node:crypto"
import { Context } from "effect"

/** The id of the request being answered. */
export const RequestId = Context.Reference<string>("svc/http/server/RequestId", { defaultValue: () => "none" })

const SANE = /^[\w.:-]{8,128}$/

export const requestIdOf = (incoming: string | string[] | undefined): string =>
  typeof incoming === "string" && SANE.test(incoming) ? incoming : randomUUID()
