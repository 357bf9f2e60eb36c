/**
 * `Idempotency-Key` (CONTRACT §1): on an endpoint that makes something, so that a request whose answer was lost may be
 * sent again. Inside of what says who is calling: declared on the endpoint, before its group's own middleware.
 */
import { HttpApiMiddleware } from "effect/http-api"
import { Conflict, Forbidden, Invalid, NotFound } from "../../domain/failures.ts"
import type { Caller } from "./authentication.ts"
import { refusal } from "./envelope.ts"

export const IDEMPOTENCY_HEADER = "idempotency-key"

export class Idempotent extends HttpApiMiddleware.Service<Idempotent, { requires: Caller }>()(
  "svc/http/contract/Idempotent",
  { error: [refusal(Conflict, 409), refusal(Invalid, 422), refusal(NotFound, 404), refusal(Forbidden, 403)] }
) {}
