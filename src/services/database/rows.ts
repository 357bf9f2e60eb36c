/**
 * Rows read without a schema, since decoding takes several times as long: for the most frequent queries, on columns that the
 * database keeps valid.
 */
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"

export const instant = (at: Date | null): DateTime.Utc | null => at === null ? null : DateTime.fromDateUnsafe(at)

/** The other way: a moment as a parameter. */
export const date = DateTime.toDateUtc

export const dateOrNull = (at: DateTime.Utc | null): Date | null => at === null ? null : date(at)

/** A model's row, with a Date for each moment. A reader names each field it takes: copying a whole row costs more than all that is done with it. */
export type RowOf<Model> = {
  readonly [Field in keyof Model]: Model[Field] extends DateTime.Utc ? Date : DateTime.Utc extends Model[Field] ? Date | null : Model[Field]
}

/** A row that answers one of several questions: the question's place among them, from 1 on. */
export interface Placed {
  readonly at: number
}

/** The rows in the order of the questions; undefined where a question found none. */
export const inPlaces = <Row, A>(asked: ReadonlyArray<unknown>, read: (row: Row) => A) => (rows: ReadonlyArray<Row & Placed>): ReadonlyArray<A | undefined> => {
  const found = Array.from(asked, (): A | undefined => undefined)
  for (const row of rows) found[row.at - 1] = read(row)
  return found
}

export const placed = <Row, A>(asked: ReadonlyArray<unknown>, read: (row: Row) => A) => (rows: ReadonlyArray<Row & Placed>): ReadonlyArray<Option.Option<A>> =>
  inPlaces(asked, read)(rows).map(Option.fromUndefinedOr)

/** All rows that answer each of several questions, in the order of the questions. */
export const listsIn = <Row, A>(asked: ReadonlyArray<unknown>, read: (row: Row) => A) => (rows: ReadonlyArray<Row & Placed>): ReadonlyArray<ReadonlyArray<A>> => {
  const found = Array.from(asked, (): Array<A> => [])
  for (const row of rows) found[row.at - 1]!.push(read(row))
  return found
}

/** Nothing on the first page; then the rows past its cursor, `id <` where the newest come first. */
export const past = (sql: SqlClient.SqlClient, id: `${string} ${"<" | ">"}`, after: string | null | undefined): Fragment =>
  after === null || after === undefined ? sql.literal("") : sql`AND ${sql.literal(id)} ${after}`

/** A statement whose rows nobody reads. */
export const executed = <E, R>(statement: Effect.Effect<unknown, E, R>): Effect.Effect<void, never, R> => Effect.orDie(Effect.asVoid(statement))

/** Whether a statement found, or changed and returned, anything. */
export const anyRow = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<boolean, never, R> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length > 0))

/** The ids of what a statement found, or changed and returned. */
export const idsOf = <Id, E, R>(statement: Effect.Effect<ReadonlyArray<{ readonly id: Id }>, E, R>): Effect.Effect<ReadonlyArray<Id>, never, R> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.map(({ id }) => id)))

/** The first row that a statement found, or changed and returned, as `read` takes it. */
export const firstOf = <Row, A, E, R>(statement: Effect.Effect<ReadonlyArray<Row>, E, R>, read: (row: Row) => A): Effect.Effect<Option.Option<A>, never, R> =>
  Effect.orDie(Effect.map(statement, ([row]) => Option.map(Option.fromUndefinedOr(row), read)))

/** How many rows a statement changed and returned. */
export const rowCount = <E, R>(statement: Effect.Effect<ReadonlyArray<unknown>, E, R>): Effect.Effect<number, never, R> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length))

/** A sweep: deletes the rows of a table whose `moment` was before then, the oldest first and at most `limit`; answers how many. */
export const sweeping = (sql: SqlClient.SqlClient, table: string, key: string, moment: string) => (before: DateTime.Utc, limit: number): Effect.Effect<number> =>
  rowCount(sql`
    DELETE FROM ${sql(table)} WHERE ${sql(key)} = ANY(ARRAY(
      SELECT ${sql(key)} FROM ${sql(table)} WHERE ${sql(moment)} < ${date(before)} ORDER BY ${sql(moment)} LIMIT ${limit}))
    RETURNING 1`)

/** What a `SELECT count(*)::int AS count` counted. */
export const counted = <E, R>(statement: Effect.Effect<ReadonlyArray<{ readonly count: number }>, E, R>): Effect.Effect<number, never, R> =>
  Effect.orDie(Effect.map(statement, (rows) => rows[0]?.count ?? 0))
