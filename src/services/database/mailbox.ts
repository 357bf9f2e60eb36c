/** The developer mailbox: keeps the newest mails of the embedded default, and lists them newest first, each with its links. */
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { MailId } from "../../domain/mails/model.ts"
import { MailTransport } from "../mail/transport.ts"
import { date, firstOf } from "./rows.ts"

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
  find: (id: MailId) => firstOf(sql<Row>`SELECT id, recipient AS "to", subject, html, text, at FROM mailbox WHERE id = ${id}`, message)
}))

export const MailTransportMailbox = Layer.effect(
  MailTransport,
  SqlClient.SqlClient.useSync((sql) => ({
    send: Effect.fn("MailTransportMailbox.send")(function*({ html, id, subject, text, to }) {
      const at = date(yield* DateTime.now)
      yield* sql`
        INSERT INTO mailbox (id, recipient, subject, html, text, at) VALUES (${id}, ${to}, ${subject}, ${html}, ${text}, ${at})
        ON CONFLICT (id) DO NOTHING`
      yield* sql`DELETE FROM mailbox WHERE id = ANY(ARRAY(SELECT id FROM mailbox ORDER BY at DESC, id DESC OFFSET ${KEPT}))`
    }, Effect.orDie)
  }))
)
