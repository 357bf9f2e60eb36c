/**
 * `Idempotency-Key` (CONTRACT §1): for endpoints that create something, so that a request whose answer was lost may be
 * sent again. Declared on the endpoint, before its group's middleware, so that it runs inside authentication.
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
