/** The audit log over HTTP. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Audit } from "../../../domain/audit/audit.ts"
import { Api } from "../../contract/api.ts"
import { AdminWorkspace } from "../../contract/authentication.ts"
import { PAGE } from "../../contract/wire.ts"

export const AuditHandlers = HttpApiBuilder.group(
  Api,
  "audit",
  Effect.fnUntraced(function*(handlers) {
    const audit = yield* Audit

    return handlers.handleAll({
      list: ({ query }) => AdminWorkspace.use((admin) => audit.list(admin, { after: query.cursor, limit: query.limit ?? PAGE }))
    })
  })
)
