/** Decodes the arguments of administrators, which arrive as text; a bad one is refused under its field's name. */
import { Effect, Schema } from "effect"
import { Email } from "../accounts/email.ts"
import { UserId } from "../accounts/model.ts"
import { invalid } from "../failures.ts"
import { MailId } from "../mails/model.ts"
import { WorkspaceId } from "../workspaces/model.ts"
import { JobId } from "./model.ts"

const given = <A>(schema: Schema.ConstraintDecoder<A>, field: string, message: string) => {
  const decode = Schema.decodeUnknownOption(schema)
  return (text: string) => Effect.mapError(Effect.fromOption(decode(text)), () => invalid({ field, message }))
}

export const workspaceId = given(WorkspaceId, "workspace", "This is not the id of a workspace.")
export const email = given(Email, "email", "This is not an email address.")
export const userId = given(UserId, "user", "This is neither an id nor an email address.")
export const address = given(Email, "user", "This is neither an id nor an email address.")
export const moment = given(Schema.DateTimeUtcFromString, "until", "An RFC 3339 time, such as 2027-01-31T12:00:00Z.")
export const mailId = given(MailId, "id", "This is not the id of a mail.")
export const jobId = given(JobId, "id", "This is not the id of a job.")
export const states = given(Schema.Literals(["waiting", "failed", "all"]), "state", "waiting, failed or all.")
