/** What the developer mailbox holds, newest first, each mail with the links in it. */
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"

interface Row {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly at: Date
}

const LINK = /https?:\/\/[^\s<>"]+/g

const message = ({ at, ...row }: Row) => ({ ...row, at: at.toISOString(), links: [...new Set(row.text.match(LINK) ?? [])] })

const KEPT = 200

export const mailbox = SqlClient.SqlClient.useSync((sql) => ({
  list: Effect.orDie(Effect.map(
    sql<Row>`SELECT id, recipient AS "to", subject, html, text, at FROM mailbox ORDER BY at DESC, id DESC LIMIT ${KEPT}`,
    (rows) => rows.map(message)
  )),
  find: (id: string) =>
    Effect.orDie(Effect.map(
      sql<Row>`SELECT id, recipient AS "to", subject, html, text, at FROM mailbox WHERE id::text = ${id}`,
      (rows) => Option.map(Option.fromUndefinedOr(rows[0]), message)
    ))
}))
