/** A workspace with people in every relation to it, and their requests. */
import { DateTime, Effect } from "effect"
import { UserId } from "../../src/domain/accounts/model.ts"
import { AccountStore } from "../../src/domain/accounts/store.ts"
import { ApiTokens } from "../../src/domain/api-tokens/api-tokens.ts"
import { Tokens } from "../../src/domain/ports/tokens.ts"
import type { Role } from "../../src/domain/workspaces/model.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { Service } from "./service.ts"
import type { Account } from "./service.ts"

export type Person = Pick<Account, "bearer" | "email" | "id">

export const ask = (person: Pick<Account, "bearer"> | undefined, method: string, path: string, json?: unknown) =>
  Service.use((service) => service.ask(path, { method, headers: person?.bearer ?? {}, ...(json === undefined ? {} : { json }) }))

export const joins = (person: Person, { workspaceId }: Account, role: Role) =>
  Service.use(({ inside }) =>
    inside(Effect.gen(function*() {
      yield* (yield* WorkspaceStore).join(person.id, { workspaceId, role, isOwner: false }, yield* DateTime.now)
    })))

export const member = Effect.fnUntraced(function*(host: Account, role: Role) {
  const account = yield* (yield* Service).account()
  yield* joins(account, host, role)
  return account
})

/** Somebody with an account and no workspace at all. */
export const homeless = Service.use(({ inside }) =>
  inside(Effect.gen(function*() {
    const tokens = yield* Tokens
    const id = UserId.make(yield* tokens.uuid)
    const email = `${id}@example.com`
    yield* (yield* AccountStore).createGuest({ id, email, name: "Hal", passwordHash: null, idpSub: null }, yield* DateTime.now)
    const { token } = yield* (yield* ApiTokens).create(id, "test")
    return { id, email, bearer: { authorization: `Bearer ${token}` } } satisfies Person
  })))
