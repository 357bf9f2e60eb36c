/** Checks everything that a command needs, and says what to do about each fault. */
import { Effect, Exit, Option, Result } from "effect"
import { Command } from "effect/cli"
import { API_VERSION } from "../../http/contract/version.ts"
import { isBusy } from "../again.ts"
import { Connection, present } from "../connection.ts"
import { credentialsMode, credentialsPath, readCredentials } from "../credentials.ts"
import { Output } from "../output.ts"
import { proxyAsked, proxyFor } from "../proxies.ts"
import { byProxy, fromBody, reasonOf, refusalOf } from "../refusal.ts"
import type { ExitCode } from "../refusal.ts"
import { facts } from "../table.ts"
import { exchange, lookup } from "../transport.ts"
import { asWord, span } from "../words.ts"

interface Check {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  readonly next?: string
  readonly exit?: ExitCode
}

const bad = (check: string, found: string, next: string, exit: ExitCode = 1): Check => ({ check, ok: false, found, next, exit })
const good = (check: string, found: string): Check => ({ check, ok: true, found })

/** How many seconds the clocks may differ before times in answers mislead. */
const SKEW = 60

const kept = Effect.gen(function*() {
  const mode = yield* credentialsMode
  const path = credentialsPath()
  if (mode === undefined) return good("Credentials", "none kept yet")
  // Windows has no permission bits: Node derives them from whether the file is writable.
  if (process.platform === "win32") return good("Credentials", path)
  const octal = mode.toString(8).padStart(4, "0")
  return (mode & 0o077) === 0 ? good("Credentials", `${path}, ${octal}`) : bad("Credentials", `${path} is ${octal}: others may read it`, `chmod 600 ${asWord(path)}`)
})

const credentials = readCredentials.pipe(
  Effect.andThen(kept),
  Effect.catch(({ message, next = "svc login" }) => Effect.succeed(bad("Credentials", message, next)))
)

const proxy = (base: string): ReadonlyArray<Check> => {
  const found = proxyFor(new URL(base))
  if (found === undefined) return []
  const { fault, variable } = found
  if (fault === "address") return [bad("Proxy", `${variable} names no http:// or https:// proxy`, `Set ${variable} to one, such as http://proxy.example.com:8080`)]
  if (fault === "node") return [bad("Proxy", `${variable} names one that this Node, ${process.version}, cannot use`, "Use Node 22.21, 24.5 or newer")]
  return [good("Proxy", `named by ${variable}`)]
}

const reached = (base: string) =>
  Effect.promise(async () => {
    try {
      const answer = await exchange(new URL(`${base}/openapi.json`), { method: "GET", headers: { accept: "application/json" } })
      return { answer }
    } catch (error) {
      return { error }
    }
  })

const versionOf = (text: string): string | undefined => {
  try {
    const { info } = JSON.parse(text) as { info?: { title?: string; version?: string } }
    return info?.title === "svc" ? info.version : undefined
  } catch {
    return undefined
  }
}

const clock = (header: string | undefined): Check => {
  const there = Date.parse(header ?? "")
  if (Number.isNaN(there)) return good("Clock", "the service does not say its time")
  const skew = Math.round(Math.abs(Date.now() - there) / 1000)
  return skew <= SKEW ? good("Clock", "agrees with the service’s") : bad("Clock", `is ${span(skew)} off the service’s`, "Set this machine’s clock: timedatectl set-ntp true")
}

const service = Effect.fnUntraced(function*(base: string) {
  const { answer, error } = yield* reached(base)
  if (answer === undefined) {
    const variable = proxyAsked(new URL(base))?.variable
    const next = variable === undefined ? "Start it, or name another: SVC_BASE_URL=https://… svc doctor" : `Correct ${variable}, or name the service’s host in NO_PROXY`
    return [bad("Service", `${base}${byProxy(new URL(base))}: ${reasonOf(error)}`, next, 4)]
  }
  const text = answer.bytes.toString("utf8")
  if (isBusy(answer.status)) {
    const { message, next = "Try again in a moment." } = fromBody(answer.status, text, answer.headers)
    return [bad("Service", `${base}: ${message}`, next, 4)]
  }
  const version = answer.status === 200 ? versionOf(text) : undefined
  if (version === undefined) return [bad("Service", `${base} answers, but it is no svc`, "Name the right address: svc login https://…", 4)]
  const [here, there] = [API_VERSION, version].map((text) => text.split(".").slice(0, 2).join("."))
  return [
    good("Service", `${base} answers`),
    here === there ? good("Version", `${version}, as this command`) : bad("Version", `the service has ${version}, this command ${API_VERSION}`, "Install the command that belongs to the service"),
    clock(answer.headers["date"])
  ]
})

const resolves = (host: string) =>
  Effect.callback<boolean>((answer) => lookup(host, {}, (error) => answer(Effect.succeed(error === null))))

/** The token, and whether names under the content domain resolve, tried with the address of any project. */
const account = Effect.gen(function*() {
  const { client, lent, token } = yield* Connection
  const known = yield* Effect.result(token)
  if (Result.isFailure(known)) return [bad("Token", known.failure.message, known.failure.next ?? "svc login", known.failure.exit)]
  if (Option.isNone(known.success)) return [bad("Token", "none", "svc login", 3)]
  const api = yield* client
  const me = yield* Effect.result(api.account.me())
  if (Result.isFailure(me)) {
    const { exit, message, next } = yield* refusalOf(me.failure)
    return [bad("Token", message, next ?? "Try again in a moment.", exit)]
  }
  const signedIn = good("Token", `${me.success.user.email}${lent ? ", by SVC_TOKEN" : ""}`)
  const { projects } = yield* Effect.orElseSucceed(api.projects.list({ query: { limit: 1 } }), () => ({ projects: [] }))
  if (projects[0] === undefined) return [signedIn, good("Content", "nothing published to look at yet")]
  const { host, hostname } = new URL(projects[0].url)
  return [
    signedIn,
    (yield* resolves(hostname))
      ? good("Content", `${host} resolves`)
      : proxyAsked(new URL(projects[0].url)) !== undefined
      ? good("Content", `${host} is looked up by the proxy`)
      : bad("Content", `${host} does not resolve`, "Point *.<content domain> at the service in your name system")
  ]
})

export const doctor = Command.make(
  "doctor",
  {},
  Effect.fnUntraced(function*() {
    const { answer, aside, asidePaint, paint } = yield* Output
    const { base } = yield* Connection
    const here = yield* credentials
    // If the credentials name the service and cannot be read, it is not known which service that is.
    const lost = present("SVC_BASE_URL") === undefined && Exit.isFailure(yield* Effect.exit(readCredentials))
    const there = lost ? [] : yield* service(base)
    const checks = [here, ...(lost ? [] : proxy(base)), ...there, ...(there[0]?.ok === true ? yield* account : [])]
    const lines = facts(checks.map(({ check, found }) => [check, found]))
    yield* answer({ ok: checks.every(({ ok }) => ok), checks: checks.map(({ check, found, next, ok }) => ({ check, ok, found, ...(next === undefined ? {} : { next }) })) }, () =>
      checks.flatMap(({ next, ok }, index) => [
        `${ok ? paint.green("✓") : paint.red("✗")} ${lines[index]}`,
        ...(next === undefined ? [] : [`  ${paint.dim("→")} ${next}`])
      ]))
    const worst = checks.find(({ ok }) => !ok)
    if (worst === undefined) return
    yield* aside(`${asidePaint.red("✗")} Not everything is in order.`)
    process.exitCode = worst.exit ?? 1
  })
).pipe(Command.withDescription("Check that everything a command needs is in order"))
