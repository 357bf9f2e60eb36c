/** The id a request is known by in answers and logs. */
import { randomBytes } from "node:crypto"
import { isSaneId } from "../contract/request-id.ts"

const instance = randomBytes(9).toString("base64url")
let count = 0

/** A well-formed incoming one is kept; otherwise one that is unique across requests, processes and restarts, in a third of a UUID's time. */
export const requestId = (incoming: string | ReadonlyArray<string> | undefined): string =>
  isSaneId(incoming) ? incoming : `${instance}-${(++count).toString(36)}`
