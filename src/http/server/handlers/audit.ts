/** The audit log over HTTP. */
import { Effect } from "effect"
import { Audit } from "../../../domain/audit/audit.ts"
import { Api } from "../../contract/api.ts"
import { AdminWorkspace } from "../../contract/authentication.ts"
import { PAGE } from "../../contract/wire.ts"
import { handlersOf } from "../carried.ts"

export const AuditHandlers = handlersOf(
  Api,
  "audit",
  Effect.fnUntraced(function*(handlers) {
    const audit = yield* Audit

    return handlers.handleAll({
      list: ({ query }) => AdminWorkspace.use((admin) => audit.list(admin, { after: query.cursor, limit: query.limit ?? PAGE }))
    })
  })
)
