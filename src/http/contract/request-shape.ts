/** A body or query that does not fit the contract is a `validation_error` naming every offending field. */
import { HttpApiMiddleware } from "effect/http-api"
import { Invalid, UploadTooLarge } from "../../domain/failures.ts"
import { refusal } from "./envelope.ts"
import { sizeText } from "./sizes.ts"

export class RequestShape extends HttpApiMiddleware.Service<RequestShape>()("svc/http/contract/RequestShape", {
  error: [refusal(Invalid, 422), refusal(UploadTooLarge, 413)]
}) {}

/** Of a body that is read whole, as JSON is; uploads are capped by the plan while they stream. */
export const MAX_BODY_BYTES = 1024 * 1024

export const bodyTooLarge = () => new UploadTooLarge({ message: `The body is larger than ${sizeText(MAX_BODY_BYTES)}.` })
