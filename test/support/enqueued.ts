/** How many mails of a kind were ever enqueued: one that is not so any more by its turn leaves the outbox unsent, whenever that comes. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Service } from "./service.ts"

const noted = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const [there] = yield* sql<{ noted: boolean }>`SELECT to_regclass('enqueued_mails') IS NOT NULL AS noted`
  if (there!.noted) return
  yield* sql`CREATE TABLE enqueued_mails (kind text)`
  yield* sql`
    CREATE FUNCTION note_mail() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO enqueued_mails VALUES (NEW.kind);
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER note_mail AFTER INSERT ON mails FOR EACH ROW EXECUTE FUNCTION note_mail()`
})

/** Counted from the first look on. */
export const enqueued = (kind: string) =>
  Service.use(({ inside }) =>
    inside(Effect.orDie(SqlClient.SqlClient.use((sql) =>
      Effect.andThen(noted(sql), Effect.map(sql`SELECT 1 FROM enqueued_mails WHERE kind = ${kind}`, (rows) => rows.length))))))
