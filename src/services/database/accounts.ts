/** Accounts in PostgreSQL. Rows decode through the model, so a bad row is a defect, not a value; but not those that requests and sign-ins read. */
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { User, UserId } from "../../domain/accounts/model.ts"
import { AccountStore } from "../../domain/accounts/store.ts"
import { MAKER } from "../../domain/workspaces/member-rules.ts"
import { Issuer } from "./issuer.ts"
import { anyRow, date, executed, firstOf, placed, sweeping } from "./rows.ts"
import type { Placed, RowOf } from "./rows.ts"
import { together } from "./together.ts"

/** The columns of a user; `password_hash` stays out unless asked for. */
export const userColumns = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const { isLinked } = yield* Issuer
  return sql`u.id, u.name, u.email, u.email_verified_at IS NOT NULL AS "emailVerified",
    u.password_hash IS NOT NULL AS "hasPassword", ${isLinked} AS "idpLinked",
    u.session_epoch AS "sessionEpoch", u.created_at AS "createdAt"`
})

export const userOf = (row: RowOf<User>): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  hasPassword: row.hasPassword,
  idpLinked: row.idpLinked,
  sessionEpoch: row.sessionEpoch,
  createdAt: DateTime.fromDateUnsafe(row.createdAt)
})

/** Accounts that are to be erased do not count: they cannot sign in, and none of their tokens work. */
export const activeAccount = `u.deletion_id IS NULL`

export const AccountStoreSql = Layer.effect(
  AccountStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = yield* userColumns
    const { named } = yield* Issuer
    const isActive = sql.literal(activeAccount)

    const find = (id: string) => sql<RowOf<User>>`SELECT ${columns} FROM users u WHERE u.id = ${id} AND ${isActive}`

    const signedIn = (hash: Fragment) => sql`${isActive} AND NOT EXISTS (SELECT 1 FROM spent_keys s WHERE s.hash = ${hash})`

    const findSignedIn = yield* together({
      alone: ({ end, id }: { readonly id: UserId; readonly end: string }) =>
        firstOf(sql<RowOf<User>>`SELECT ${columns} FROM users u WHERE u.id = ${id} AND ${signedIn(sql`${end}`)}`, userOf),
      many: (asked) =>
        Effect.orDie(Effect.map(
          sql<RowOf<User> & Placed>`
            SELECT a.at::int4, ${columns}
            FROM unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ end }) => end)}::text[]) WITH ORDINALITY AS a (id, hash, at) JOIN users u ON u.id = a.id
            WHERE ${signedIn(sql.literal("a.hash"))}`,
          placed(asked, userOf)
        ))
    })

    const byEmail = (email: string) => sql<RowOf<User> & { readonly passwordHash: string | null }>`
      SELECT ${columns}, u.password_hash AS "passwordHash" FROM users u WHERE u.email = ${email} AND ${isActive}`

    const createGuest = SqlSchema.findOneOption({
      Request: Schema.Struct({
        id: UserId,
        email: Schema.String,
        name: Schema.String,
        passwordHash: Schema.NullOr(Schema.String),
        idpSub: Schema.NullOr(Schema.String),
        now: Schema.DateTimeUtcFromDate
      }),
      Result: User,
      execute: ({ email, id, idpSub, name, now, passwordHash }) => sql`
        INSERT INTO users AS u (id, email, name, password_hash, idp_sub, idp_issuer, email_verified_at, created_at)
        VALUES (${id}, ${email}, ${name}, ${passwordHash}, ${idpSub}, ${idpSub === null ? null : named}, ${now}, ${now})
        ON CONFLICT DO NOTHING
        RETURNING ${columns}`
    })

    // Locks the account's row first, so that concurrent uses of several links of one account queue there instead of deadlocking.
    const consumeToken = SqlSchema.findOneOption({
      Request: Schema.Struct({ hash: Schema.String, purpose: Schema.String, now: Schema.DateTimeUtcFromDate }),
      Result: User,
      execute: ({ hash, now, purpose }) => sql`
        WITH u AS (
          SELECT u.* FROM users u WHERE u.id = (SELECT t.user_id FROM email_tokens t WHERE t.hash = ${hash}) AND ${isActive}
          FOR NO KEY UPDATE
        )
        UPDATE email_tokens t SET used_at = ${now} FROM u
        WHERE t.hash = ${hash} AND t.purpose = ${purpose} AND t.used_at IS NULL AND t.expires_at > ${now} AND u.id = t.user_id
        RETURNING ${columns}`
    })

    const bumpEpoch = SqlSchema.findOne({
      Request: Schema.String,
      Result: User,
      execute: (id) => sql`UPDATE users u SET session_epoch = session_epoch + 1 WHERE u.id = ${id} RETURNING ${columns}`
    })

    return AccountStore.of({
      find: (id) => firstOf(find(id), userOf),
      findSignedIn: (id, end) => findSignedIn({ id, end }),
      byEmail: (email) => firstOf(byEmail(email), (row) => ({ user: userOf(row), passwordHash: row.passwordHash })),
      create: Effect.fn("AccountStoreSql.create")(function*(account, now) {
        const { home } = account
        const at = date(now)
        const made = yield* sql`
          WITH home AS (
            INSERT INTO workspaces (id, name, plan, trial_ends_at, created_at)
            SELECT ${home.id}::uuid, ${home.name}, ${home.plan}, ${date(home.trialEndsAt)}::timestamptz, ${at}::timestamptz
            WHERE NOT EXISTS (SELECT 1 FROM users WHERE email = ${account.email})
            RETURNING id
          )
          INSERT INTO users (id, email, name, password_hash, home_workspace_id, created_at)
          SELECT ${account.id}::uuid, ${account.email}, ${account.name}, ${account.passwordHash}, home.id, ${at}::timestamptz FROM home
          ON CONFLICT (email) DO NOTHING
          RETURNING id`
        if (made.length === 0) {
          // The other of two simultaneous signups won, so the workspace just made for this one goes too.
          yield* sql`DELETE FROM workspaces WHERE id = ${home.id}`
          return false
        }
        yield* sql`
          INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at)
          VALUES (${home.id}, ${account.id}, ${MAKER.role}, ${MAKER.isOwner}, ${at})`
        return true
      }, Effect.orDie),
      holder: (email) =>
        firstOf(
          sql<{ name: string; eraseOn: Date | null }>`SELECT u.name, d.erase_on AS "eraseOn" FROM users u LEFT JOIN deletions d ON d.id = u.deletion_id WHERE u.email = ${email}`,
          ({ eraseOn, name }) => ({ name, eraseOn: eraseOn && DateTime.fromDateUnsafe(eraseOn) })
        ),
      createGuest: (guest, now) => Effect.orDie(createGuest({ ...guest, now })),
      rename: (id, name) => executed(sql`UPDATE users SET name = ${name} WHERE id = ${id}`),
      leaveOnlyPassword: (id, hash) => executed(sql`UPDATE users SET password_hash = ${hash}, idp_sub = NULL, idp_issuer = NULL WHERE id = ${id}`),
      replacePasswordHash: (id, proven, hash) =>
        anyRow(sql`UPDATE users u SET password_hash = ${hash} WHERE u.id = ${id} AND u.password_hash = ${proven} AND ${isActive} RETURNING u.id`),
      dropWaysIn: (id) => executed(sql`UPDATE users SET password_hash = NULL, idp_sub = NULL, idp_issuer = NULL WHERE id = ${id}`),
      bumpEpoch: (id) => Effect.orDie(bumpEpoch(id)),
      holdSession: ({ id, sessionEpoch }) =>
        anyRow(sql`SELECT 1 FROM users u WHERE u.id = ${id} AND u.session_epoch = ${sessionEpoch} AND ${isActive} FOR NO KEY UPDATE`),
      voidTokens: (id, purposes, now) =>
        executed(sql`
          UPDATE email_tokens SET used_at = ${date(now)}
          WHERE user_id = ${id} AND used_at IS NULL AND purpose = ANY(${purposes})`),
      verifyEmail: (id, now) =>
        executed(sql`
          UPDATE users SET email_verified_at = coalesce(email_verified_at, ${date(now)}) WHERE id = ${id}`),
      addToken: (token) =>
        executed(sql`
          INSERT INTO email_tokens (hash, user_id, purpose, expires_at)
          VALUES (${token.hash}, ${token.userId}, ${token.purpose}, ${date(token.expiresAt)})`),
      consumeToken: (hash, purpose, now) => Effect.orDie(consumeToken({ hash, purpose, now })),
      sweepTokens: sweeping(sql, "email_tokens", "hash", "expires_at")
    })
  })
)

/** Whether nobody has signed up in this database yet. */
export const hasNoAccounts = SqlClient.SqlClient.use((sql) =>
  Effect.orDie(Effect.map(sql`SELECT 1 FROM users LIMIT 1`, (rows) => rows.length === 0))
)
