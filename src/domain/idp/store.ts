/** What signing in through a provider needs remembered. Implemented by services/database/idp.ts. */
import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { User, UserId } from "../accounts/model.ts"

export class IdpStore extends Context.Service<IdpStore, {
  readonly bySubject: (subject: string) => Effect.Effect<Option.Option<User>>
  /** False when the account is linked by now, or the subject to another one, or the session that asked is over. */
  readonly link: (user: User, subject: string) => Effect.Effect<boolean>
  /** Rule 3: a link only while the account has neither a password nor a link. */
  readonly claim: (id: UserId, subject: string) => Effect.Effect<Option.Option<User>>
  /** Only while the account has a link and a password. */
  readonly unlink: (id: UserId) => Effect.Effect<boolean>
}>()("svc/domain/idp/IdpStore") {}
