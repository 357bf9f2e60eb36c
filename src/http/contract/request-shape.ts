/** A body or query that does not fit the contract is a `validation_error` naming every offending field. */
import { HttpApiMiddleware } from "effect/http-api"
import { Invalid, UploadTooLarge } from "../../domain/failures.ts"
import { refusal } from "./envelope.ts"

export class RequestShape extends HttpApiMiddleware.Service<RequestShape>()("svc/http/contract/RequestShape", {
  error: [refusal(Invalid, 422), refusal(UploadTooLarge, 413)]
}) {}
