/** The persistence port of links to the provider that is configured; those to another count as none, and are replaced. Implemented by services/database/idp.ts. */
import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"

export class IdpStore extends Context.Service<IdpStore, {
  readonly bySubject: (subject: string) => Effect.Effect<Option.Option<User>>
  /** False if the account is linked already, the subject is linked to another account, or the asking session has ended. */
  readonly link: (user: User, subject: string) => Effect.Effect<boolean>
  /** Rule 3: links only while the account has neither a password nor a link. */
  readonly claim: (id: UserId, subject: string) => Effect.Effect<Option.Option<User>>
  /** Unlinks only while the account has both a link and a password. */
  readonly unlink: (id: UserId) => Effect.Effect<boolean>
}>()("svc/domain/idp/IdpStore") {}
