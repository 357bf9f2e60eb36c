/**
 * Before a browser first gets an author's document on the project's own host, the project is marked as served raw: from then
 * on that author's script may live on in an open tab of this origin, whatever the project becomes (SPEC §4.1).
 */
import { Effect } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { Site } from "../../../domain/hosting/model.ts"
import { PassStore } from "../../../domain/hosting/store.ts"
import type { Exchange } from "../exchange.ts"
import type { Guards } from "../guarding.ts"
import { Shared } from "../memory/lanes.ts"

/** Every browser sends one or the other; programs that run no script may be taken for one. */
const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-dest"] !== undefined || headers["sec-fetch-mode"] !== undefined || headers["sec-fetch-site"] !== undefined ||
  /\bMozilla\//i.test(headers["user-agent"] ?? "")

/** Calls `then` at once, or after the project is marked. */
export type RememberRaw = (x: Exchange, site: Site, then: () => void) => void

export const makeServedRaw = Effect.fnUntraced(function*({ guarded, unavailable }: Guards) {
  const store = yield* PassStore
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const marks = new Shared<void>()

  const remember: RememberRaw = (x, site, then) => {
    if (site.servedRaw || x.isHead || !isBrowser(x.req.headers)) return then()
    marks.load(site.projectId, () => run(store.markServedRaw(site.projectId))).then(
      () => guarded(x, then),
      (cause) => unavailable(x, cause)
    )
  }
  return remember
})
