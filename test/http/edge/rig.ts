/** An edge on a real socket over a store and packs in memory, and clients that send exactly what they are told. */
import { DateTime, Effect, Exit, Layer, Logger, Option, Scope, Stream } from "effect"
import { createHash } from "node:crypto"
import http from "node:http"
import net from "node:net"
import type { AddressInfo } from "node:net"
import type { InvalidCredentials, InvalidToken, NotFound, RateLimited, Unavailable } from "../../../src/domain/failures.ts"
import type { Asset, Manifest, Pass, Site, Visit } from "../../../src/domain/hosting/model.ts"
import { Gates } from "../../../src/domain/hosting/gates.ts"
import type { Passage } from "../../../src/domain/hosting/gates.ts"
import type { UserId } from "../../../src/domain/accounts/model.ts"
import { ShellProofs } from "../../../src/domain/hosting/shell-proofs.ts"
import { HostingStore, PassStore } from "../../../src/domain/hosting/store.ts"
import type { AtDoor } from "../../../src/domain/hosting/store.ts"
import { Packs } from "../../../src/domain/ports/packs.ts"
import type { Kind, ProjectId, VersionId } from "../../../src/domain/projects/model.ts"
import type { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { makeEdge } from "../../../src/http/edge/edge.ts"
import type { EdgeOptions } from "../../../src/http/edge/edge.ts"
import type { ResponseFacts } from "../../../src/http/edge/exchange.ts"

export const DOMAIN = "svc.test"

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

export const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** The ETag of its uncompressed bytes on a raw site. */
export const tagFor = (bytes: string | Uint8Array, type: string): string =>
  `"${hash(Buffer.from(`${hash(Buffer.from(bytes))}\n${type}\n`)).slice(0, 32)}"`

const projectId = (slug: string) => `01890000-0000-7000-8000-${hash(Buffer.from(slug)).slice(0, 12)}` as ProjectId

/** Options may depend on the port, so that a browser can follow links. What goes wrong is in `defects`, or in the log if there is one. */
export const openRig = async (given: Partial<EdgeOptions> | ((port: number) => Partial<EdgeOptions>) = {}, log?: Logger.Logger<unknown, unknown>) => {
  const sites = new Map<string, Site>()
  const manifests = new Map<string, Manifest>()
  const packs = new Map<string, Buffer>()
  /** By version. */
  const excerpts = new Map<string, string>()
  /** By the hash of the cookie that carries it. */
  const passes = new Map<string, Pass>()
  const calls: Array<ReadonlyArray<AtDoor>> = []
  const reads: Array<{ pack: string, offset: number, length: number }> = []
  const facts: Array<ResponseFacts> = []
  const defects: Array<unknown> = []
  const faults = {
    sites: undefined as Effect.Effect<never> | undefined,
    packs: undefined as Effect.Effect<never, Unavailable> | undefined,
    excerpts: undefined as Effect.Effect<never> | undefined,
    marks: false
  }
  /** Runs before a query answers; its changes to `sites` are seen only by later queries. */
  let hold: () => Promise<void> = () => Promise.resolve()
  let versions = 0

  const store = HostingStore.of({
    site: () => Effect.die("not asked by the edge"),
    visits: (asked) =>
      Effect.suspend(() => {
        calls.push(asked)
        if (faults.sites !== undefined) return faults.sites
        const read = asked.map(({ pass, slug }): Visit | undefined => {
          const site = sites.get(slug)
          return site && { site, pass: pass === null ? null : passes.get(pass) ?? null }
        })
        return Effect.promise(hold).pipe(Effect.as(read))
      }),
    frameVisits: () => Effect.die("not asked yet"),
    manifest: (version) => Effect.sync(() => Option.fromUndefinedOr(manifests.get(version))),
    excerpt: (version) => Effect.suspend(() => faults.excerpts ?? Effect.succeed(excerpts.get(version) ?? null))
  })
  const slice = (pack: string, offset: number, length: number) =>
    Effect.suspend(() => {
      reads.push({ pack, offset, length })
      return faults.packs ?? Effect.succeed(new Uint8Array(packs.get(pack)!.subarray(offset, offset + length)))
    })
  const never = Effect.die("not part of serving")
  const packPort = Packs.of({
    draft: never, slice, read: (id, offset, length) => Stream.fromEffect(slice(id, offset, length)),
    thin: () => never, remove: () => never, list: Stream.empty, deployment: never, claim: () => never, ready: never
  })

  /** The stubbed result of the gates' programs, and the calls that they got. */
  const gated = { answer: never as Effect.Effect<Passage, InvalidCredentials | RateLimited | NotFound | InvalidToken>, names: never as Effect.Effect<string | undefined>, asked: [] as Array<unknown> }
  const knock = (...asked: ReadonlyArray<unknown>) => Effect.suspend(() => (gated.asked.push(asked), gated.answer))
  const gates = Gates.of({
    doorcode: knock, link: knock, member: knock, reader: (...asked: ReadonlyArray<unknown>) => Effect.suspend(() => (gated.asked.push(asked), gated.names)), memberEntry: () => never, signOut: () => never, frameEntry: () => never, frame: () => never
  } as unknown as typeof Gates.Service)

  /** The projects that were recorded as served raw, in order. */
  const marked: Array<ProjectId> = []
  const passStore = PassStore.of({
    markServedRaw: (id: ProjectId) => Effect.suspend(() => faults.marks ? Effect.die("cannot remember") : Effect.sync(() => void marked.push(id)))
  } as unknown as typeof PassStore.Service)
  const proofs = ShellProofs.of({
    issue: (project, { user }) => Effect.succeed(`proof-of-${project}-for-${user}`), nameReader: () => Effect.die("not asked by the edge"), proven: () => Effect.die("not asked by the edge"),
    issueNamed: (project, cookie) => Effect.succeed(cookie === "nobody" ? "" : `proof-of-${project}-for-${cookie}`),
    named: (_project, cookie) => Effect.succeed(cookie === "nobody" ? Option.none() : Option.some({ user: cookie as UserId, since: 0 }))
  })

  /** Publishes files (`path` → type and bytes) at a slug. */
  const publish = (
    slug: string,
    files: Record<string, readonly [type: string, bytes: string | Buffer]>,
    facts: Partial<Omit<Site, "version">> & { readonly kind?: Kind, readonly entry?: string } = {}
  ): VersionId => {
    const number = ++versions
    const id = `01890000-0000-7000-9000-${String(number).padStart(12, "0")}` as VersionId
    const pack = `pack-${number}`
    const manifest: Record<string, Asset> = {}
    const bodies: Array<Buffer> = []
    let offset = 0
    for (const [path, [type, content]] of Object.entries(files)) {
      const body = Buffer.from(content)
      manifest[path] = { pack, offset, length: body.length, hash: hash(body), type }
      bodies.push(body)
      offset += body.length
    }
    packs.set(pack, Buffer.concat(bodies))
    manifests.set(id, manifest)
    const { entry, kind, ...rest } = facts
    sites.set(slug, {
      projectId: projectId(slug), workspaceId: "01890000-0000-7000-a000-000000000001" as WorkspaceId,
      slug, title: "The secret title", visibility: "public", indexable: false, htmlDisplayMode: "auto", commentsEnabled: false, commentAccess: "allowlist",
      deleted: false, takenDown: false, expiresAt: null, trialEndsAt: null, subscriptionStatus: null, subscriptionEndsAt: null, succeeds: false, accessEpoch: 0, servedRaw: false, frameName: `frame-of-${slug}`,
      version: { id, number, kind: kind ?? "site", entry: entry ?? "index.html", publishedAt: utc("2026-03-14T09:26:53.589Z") }, ...rest
    })
    return id
  }

  const change = (slug: string, facts: Partial<Site>): void => void sites.set(slug, { ...sites.get(slug)!, ...facts })

  let [connections, requests] = [0, 0]
  const server = http.createServer((req, res) => {
    requests++
    listener(req, res, (req.headers.host ?? "").split(".")[0]!)
  })
  server.on("connection", (socket) => {
    connections++
    socket.on("close", () => connections--)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const port = (server.address() as AddressInfo).port
  const options = typeof given === "function" ? given(port) : given

  const scope = Effect.runSync(Scope.make())
  const listener = await Effect.runPromise(
    makeEdge({
      contentDomain: `${DOMAIN}:8787`, baseUrl: "https://svc.example", trialPolicy: { enforcedSince: DateTime.makeUnsafe(0) },
      clientOf: () => "client", outageIn: () => undefined,
      onResponse: (fact) => facts.push(fact), ...(log === undefined && { onDefect: (cause: unknown) => defects.push(cause) }), ...options
    }).pipe(
      Effect.provideService(HostingStore, store),
      Effect.provideService(PassStore, passStore),
      Effect.provideService(ShellProofs, proofs),
      Effect.provideService(Gates, gates),
      Effect.provideService(Packs, packPort),
      Effect.provideService(Scope.Scope, scope),
      Effect.provide(log === undefined ? Layer.empty : Logger.layer([log]))
    )
  )

  const ask = (slug: string, path: string, headers: http.OutgoingHttpHeaders = {}, method = "GET", sent: string | Buffer = ""): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const req = http.request({
        host: "127.0.0.1", port, path, method, agent: false, headers: { host: `${slug}.${DOMAIN}`, ...headers }
      }, (res) => {
        const chunks: Array<Buffer> = []
        res.on("data", (chunk: Buffer) => chunks.push(chunk))
        res.on("error", reject)
        res.on("end", () => {
          const body = Buffer.concat(chunks)
          resolve({ status: res.statusCode!, headers: res.headers, body, text: body.toString() })
        })
      })
      req.on("error", reject)
      req.end(sent)
    })

  /** The bytes of a request as they are, and of its answer. */
  const raw = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1", () => socket.write(request, "latin1"))
      let text = ""
      socket.setEncoding("latin1").on("data", (chunk) => void (text += chunk)).on("end", () => resolve(text)).on("error", reject)
    })

  const close = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  return {
    sites, manifests, packs, excerpts, passes, marked, gated, calls, reads, facts, defects, faults, port, publish, change, ask, raw, close,
    connections: () => connections,
    requests: () => requests,
    holding: (next: () => Promise<void>) => void (hold = next),
    [Symbol.asyncDispose]: close
  }
}

export type Rig = Awaited<ReturnType<typeof openRig>>

export const utc = (iso: string): DateTime.Utc => DateTime.makeUnsafe(iso)

/** Waits for something that other sockets bring about; fails by the test's own time limit. */
export const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
