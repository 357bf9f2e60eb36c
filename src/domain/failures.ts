/**
 * Every failure a client can see. The tag *is* the stable wire code (SPEC §7, CONTRACT §1); the HTTP
 * status is the contract's business, since one code may travel under several.
 */
import { Effect, Schema } from "effect"
import { waitText } from "./words.ts"

const shape = {
  message: Schema.String,
  /** The offending input, dotted (`emails.0`), when one exists. */
  field: Schema.NullOr(Schema.String).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  details: Schema.Record(Schema.String, Schema.Json).pipe(Schema.withConstructorDefault(Effect.succeed({})))
}

export class AuthRequired extends Schema.TaggedError<AuthRequired>()("auth_required", shape) {}
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("invalid_credentials", shape) {}
export class InvalidToken extends Schema.TaggedError<InvalidToken>()("invalid_token", shape) {}
export class DeviceDenied extends Schema.TaggedError<DeviceDenied>()("device_denied", shape) {}
export class Forbidden extends Schema.TaggedError<Forbidden>()("forbidden", shape) {}
export class EmailNotVerified extends Schema.TaggedError<EmailNotVerified>()("email_not_verified", shape) {}
export class NotFound extends Schema.TaggedError<NotFound>()("not_found", shape) {}
/** What was there and is served to nobody any more: `not_found` under 410 (CONTRACT §9). */
export class Gone extends Schema.TaggedError<Gone>("gone")("not_found", shape) {}
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("method_not_allowed", shape) {}
export class Conflict extends Schema.TaggedError<Conflict>()("conflict", shape) {}
export class AccountExists extends Schema.TaggedError<AccountExists>()("account_exists", shape) {}
export class SlugTaken extends Schema.TaggedError<SlugTaken>()("slug_taken", shape) {}
export class SlugReserved extends Schema.TaggedError<SlugReserved>()("slug_reserved", shape) {}
export class PaymentRequired extends Schema.TaggedError<PaymentRequired>()("payment_required", shape) {}
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("quota_exceeded", shape) {}
export class UploadTooLarge extends Schema.TaggedError<UploadTooLarge>()("upload_too_large", shape) {}
export class Invalid extends Schema.TaggedError<Invalid>()("validation_error", shape) {}
/** No payment service is configured. The code is `validation_error`, under 503 (SPEC §4.5). */
export class BillingUnconfigured extends Schema.TaggedError<BillingUnconfigured>("billing_unconfigured")("validation_error", shape) {}
/** A notice that the payment service did not sign: `validation_error` under 400. */
export class UnsignedNotice extends Schema.TaggedError<UnsignedNotice>("unsigned_notice")("validation_error", shape) {}
/** An export is under way, or was taken today: `validation_error` under 429 (SPEC §4.5). */
export class ExportTaken extends Schema.TaggedError<ExportTaken>("export_taken")("validation_error", shape) {}
export class RateLimited extends Schema.TaggedError<RateLimited>()("rate_limited", shape) {}
export class OauthNotConfigured extends Schema.TaggedError<OauthNotConfigured>()("oauth_not_configured", shape) {}
export class Unavailable extends Schema.TaggedError<Unavailable>()("unavailable", shape) {}
export class InternalError extends Schema.TaggedError<InternalError>()("internal_error", shape) {}

export const tooManyTries = (seconds: number) =>
  new RateLimited({ message: `Too many tries. Wait ${waitText(seconds)}, then try again.`, details: { retry_after_seconds: seconds } })

/** Something that every request depends on, such as the database, is not available now. */
export const unavailable = () => new Unavailable({ message: "The service is not available right now. Try again in a moment." })

/** Waiting does not help: whoever runs the service has to make room. */
export const noRoom = () =>
  new Unavailable({ message: "The service has no room left for this. Ask whoever runs it to make some.", details: { reason: "no_room" } })

export const isNoRoom = ({ details }: Unavailable): boolean => details["reason"] === "no_room"

/** Others held what it waited for. */
export const busy = () => new Unavailable({ message: "Others are changing this right now. Nothing was done; send it again." })

/** Reveals nothing of the cause: that is in the log, under the request's id. */
export const internalError = (requestId: string) =>
  new InternalError({ message: "Something went wrong on our side.", details: { request_id: requestId } })

/** One faulty input, as `details.errors` lists them. */
export interface Fault {
  readonly field: string
  readonly message: string
}

/** A `validation_error` that lists every fault; `field` is the first of them. */
export const invalid = (first: Fault, ...rest: ReadonlyArray<Fault>): Invalid =>
  new Invalid({
    message: first.message,
    field: first.field,
    details: { errors: [first, ...rest].map(({ field, message }) => ({ field, message })) }
  })
