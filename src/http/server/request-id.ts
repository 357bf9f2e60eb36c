/** The id of the request being answered: its client’s own where that is well-formed. */
import { randomUUID } from "node:crypto"
import { Context } from "effect"
import { isSaneId } from "../contract/request-id.ts"

export const RequestId = Context.Reference<string>("svc/http/server/RequestId", { defaultValue: () => "none" })

export const requestIdOf = (incoming: string | string[] | undefined): string => isSaneId(incoming) ? incoming : randomUUID()
