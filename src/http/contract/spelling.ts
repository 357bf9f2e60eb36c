/**
 * For publishing: an unknown name in the query that can only mean a setting is refused, since what was to be closed would be
 * public without it. Other unknown names are ignored (CONTRACT §1). Declared before the group's middleware, to run inside authentication.
 */
import { HttpApiMiddleware } from "effect/http-api"
import { Invalid } from "../../domain/failures.ts"
import { refusal } from "./envelope.ts"

export class Spelt extends HttpApiMiddleware.Service<Spelt>()("svc/http/contract/Spelt", { error: refusal(Invalid, 422) }) {}
