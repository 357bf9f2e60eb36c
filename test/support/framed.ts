/** Framed sites for tests: published, put behind a gate, and entered over the wire as a browser enters them. */
import { Effect } from "effect"
import { cookiesOf } from "./ask.ts"
import type { Account, Service } from "./service.ts"
import { zipOf } from "./zips.ts"

type Files = Readonly<Record<string, string | Uint8Array>>

/** Publishes a site and turns its comments on, which frames it. */
export const framedSite = (
  service: typeof Service.Service,
  { bearer }: Account,
  slug: string,
  files: Files,
  settings: Readonly<Record<string, unknown>> = {}
) =>
  Effect.gen(function*() {
    const body = yield* Effect.promise(() => zipOf(files))
    const headers = { ...bearer, "content-type": "application/zip" }
    const put = yield* service.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers })
    if (put.status >= 300) return yield* Effect.die(new Error(put.text))
    const changed = yield* service.ask(`/v1/projects/${slug}`, {
      method: "PATCH", headers: bearer, json: { comments_enabled: true, ...settings }
    })
    return changed.status === 200 ? changed.json : yield* Effect.die(new Error(changed.text))
  })

/** The pass that the doorcode form gives, as a Cookie header. */
export const passByDoorcode = (service: typeof Service.Service, slug: string, doorcode: string, contentDomain = "svc.localhost") =>
  Effect.map(
    service.ask("/_svc/gate/password", {
      method: "POST", host: `${slug}.${contentDomain}`, body: new URLSearchParams({ password: doorcode }).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" }
    }),
    cookiesOf
  )

export interface Src {
  readonly host: string
  readonly path: string
}

/** The address of the frame in a shell. */
export const srcOf = (shell: string): Src => {
  const found = / src="([^"]+)"><\/iframe>/.exec(shell)?.[1]?.replaceAll("&amp;", "&")
  if (found === undefined) throw new Error("No frame in this page")
  const url = new URL(found)
  return { host: url.hostname, path: url.pathname + url.search }
}

/** The cookie that names a signed-in reader at a project's host, as the gate for those who comment sets it. */
export const namedAt = (service: typeof Service.Service, slug: string, session: string) =>
  Effect.gen(function*() {
    const gate = yield* service.ask(`/v1/gate/comment?slug=${slug}`, { headers: { cookie: session } })
    const { host, pathname, search } = new URL(gate.headers.location!)
    return cookiesOf(yield* service.ask(pathname + search, { host: host.split(":")[0]! }))
  })
