/** Links to the identity provider in PostgreSQL: columns of the account, one account per subject of an issuer. */
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { SqlError } from "effect/sql"
import { User } from "../../domain/accounts/model.ts"
import { IdpStore } from "../../domain/idp/store.ts"
import { activeAccount, userColumns } from "./accounts.ts"
import { Issuer } from "./issuer.ts"
import { anyRow } from "./rows.ts"

const Link = Schema.Struct({ id: Schema.String, subject: Schema.String })

/** The subject belongs to another account by now; a surrounding transaction, if there is one, is aborted. */
const unlessTaken = <A>(none: A) => (effect: Effect.Effect<A, SqlError.SqlError | Schema.SchemaError>) =>
  effect.pipe(
    Effect.catchReason("SqlError", "UniqueViolation", () => Effect.succeed(none)),
    Effect.orDie
  )

export const IdpStoreSql = Layer.effect(
  IdpStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* userColumns
    const { isLinked, named } = yield* Issuer
    const isActive = sql.literal(activeAccount)

    const bySubject = SqlSchema.findOneOption({
      Request: Schema.String,
      Result: User,
      execute: (subject) => sql`SELECT ${columns} FROM users u WHERE u.idp_sub = ${subject} AND ${isLinked} AND ${isActive}`
    })

    const claim = SqlSchema.findOneOption({
      Request: Link,
      Result: User,
      execute: ({ id, subject }) => sql`
        UPDATE users u SET idp_sub = ${subject}, idp_issuer = ${named}
        WHERE u.id = ${id} AND NOT ${isLinked} AND u.password_hash IS NULL AND ${isActive}
        RETURNING ${columns}`
    })

    return IdpStore.of({
      bySubject: (subject) => Effect.orDie(bySubject(subject)),
      link: ({ id, sessionEpoch }, subject) =>
        sql`
          UPDATE users u SET idp_sub = ${subject}, idp_issuer = ${named}
          WHERE u.id = ${id} AND NOT ${isLinked} AND u.session_epoch = ${sessionEpoch} AND ${isActive}
          RETURNING u.id`.pipe(
          Effect.map((rows) => rows.length > 0),
          unlessTaken(false)
        ),
      claim: (id, subject) => claim({ id, subject }).pipe(unlessTaken(Option.none())),
      unlink: (id) =>
        anyRow(sql`
          UPDATE users u SET idp_sub = NULL, idp_issuer = NULL
          WHERE u.id = ${id} AND ${isLinked} AND u.password_hash IS NOT NULL RETURNING u.id`)
    })
  })
)
