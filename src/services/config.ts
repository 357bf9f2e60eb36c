/**
 * Every variable that the service reads, as one schema (CONTRACT §2). A wrong value stops the start with one line that names
 * the variable, what it held and what it wants.
 */
import { Effect, Option, Result, Schema } from "effect"
import type { Redacted } from "effect"
import { getDomain } from "tldts"
import { hostOf } from "../domain/host-names.ts"
import { TrialSetting } from "../domain/workspaces/model.ts"
import { address, emails, hidden, isIssuer, isOwnMachine, origin, Prices, secretBytes, whole } from "./setting-forms.ts"
import { strangersIn, withoutServiceLinks } from "./strangers.ts"
import type { Environment, Stranger } from "./strangers.ts"

export class ConfigRefused extends Schema.TaggedError<ConfigRefused>()("ConfigRefused", { message: Schema.String }) {}

interface Setting<A> {
  readonly schema: Schema.Codec<A, string>
  readonly wants: string
  /** The value is never printed. */
  readonly secret: boolean
}

const setting = <A>(schema: Schema.Codec<A, string>, wants: string): Setting<A> => ({ schema, wants, secret: false })
const secret = (check: (text: string) => boolean, wants: string): Setting<Redacted.Redacted<string>> => ({ schema: hidden(check), wants, secret: true })

/** For a secret of any form: an empty variable is never read. */
const any = () => true

const isUrlOf = (protocol: RegExp, text: string): boolean => URL.canParse(text) && protocol.test(new URL(text).protocol)

/** Whether `%40` and the like can be read, as they are in user and password. */
const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ""
  } catch {
    return false
  }
}

const isRedis = (text: string): boolean => isUrlOf(/^rediss?:$/, text) && isDecodable(text) && /^\/?\d*$/.test(new URL(text).pathname)

export const SETTINGS = {
  SVC_HOST: setting(Schema.NonEmptyString, "an address to listen on"),
  SVC_PORT: setting(whole(65535), "a port, 0 to 65535"),
  SVC_BASE_URL: setting(origin(), "an address such as https://svc.example.com, and nothing after it"),
  SVC_APP_URL: setting(origin(), "an address such as https://svc.example.com, and nothing after it"),
  SVC_CONTENT_DOMAIN: setting(
    Schema.String.check(
      Schema.isPattern(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:\d{1,5})?$/),
      // An IP address, or a port beyond 65535, cannot have a name below it.
      Schema.makeFilter((text) => URL.canParse(`http://slug.${text}`))
    ),
    "a domain in lower case, with its port if it has one, such as example.com"
  ),
  SVC_DATA_DIR: setting(Schema.NonEmptyString, "a folder"),
  SVC_DATABASE_URL: secret((text) => isUrlOf(/^postgres(ql)?:$/, text), "postgres://user:password@host:5432/database"),
  SVC_S3_BUCKET: setting(Schema.NonEmptyString, "a bucket’s name"),
  SVC_S3_ENDPOINT: setting(address(), "an http or https address"),
  SVC_S3_REGION: setting(Schema.NonEmptyString, "a region, such as eu-central-1"),
  SVC_S3_FORCE_PATH_STYLE: setting(Schema.Literals(["true", "false"]), "true or false"),
  SVC_SMTP_URL: secret(
    (text) => isUrlOf(/^smtps?:$/, text) && new URL(text).hostname !== "",
    "smtp://user:password@host:587 or smtps://…"
  ),
  SVC_MAIL_FROM: setting(Schema.String.check(Schema.isPattern(/^([^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/)), "an address, such as svc <hello@example.com>"),
  SVC_SECRET: secret(secretBytes, "at least 32 bytes"),
  SVC_SECRET_PREVIOUS: secret(secretBytes, "at least 32 bytes"),
  SVC_IDP_ISSUER: setting(Schema.String.check(Schema.makeFilter(isIssuer)), "the issuer’s https address"),
  SVC_IDP_CLIENT_ID: setting(Schema.NonEmptyString, "a client id"),
  SVC_IDP_CLIENT_SECRET: secret(any, "a client secret"),
  SVC_STRIPE_SECRET_KEY: secret(any, "a secret key of Stripe"),
  SVC_STRIPE_WEBHOOK_SECRET: secret(any, "a webhook secret of Stripe"),
  SVC_STRIPE_PRICES: setting(Prices, `JSON such as {"studio":{"month":"price_…","year":"price_…"}}`),
  SVC_STRIPE_API_URL: setting(address(), "an http or https address"),
  SVC_REDIS_URL: secret(isRedis, "redis://host:6379, and nothing after it but the number of a database"),
  SVC_TRIAL: setting(TrialSetting, "enforced or open"),
  SVC_PLATFORM_ADMINS: setting(emails, "emails with commas between them"),
  SVC_SECURITY_CONTACT: setting(Schema.String.check(Schema.isPattern(/^(https:\/\/[^\s]+|[^\s@<>:]+@[^\s@<>]+)$/)), "an email, or an https address"),
  SVC_TRUSTED_PROXY_HOPS: setting(whole(10), "a whole number, 0 to 10"),
  SVC_ROLE: setting(Schema.Literals(["all", "http", "worker"]), "all, http or worker"),
  SVC_DRAIN_SECONDS: setting(whole(300), "whole seconds, 0 to 300"),
  SVC_LOG: setting(Schema.Literals(["pretty", "json"]), "pretty or json"),
  SVC_OTLP_URL: setting(address(), "an http or https address"),
  SVC_DEV_MAIL: setting(Schema.Literals(["open"]), "open, or nothing")
} as const satisfies Record<string, Setting<unknown>>

type Read = { readonly [Name in keyof typeof SETTINGS]?: typeof SETTINGS[Name] extends Setting<infer A> ? A : never }

const read = (environment: Environment): Result.Result<Read, ConfigRefused> => {
  const found: Record<string, unknown> = {}
  for (const [name, { schema, secret, wants }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const held = environment[name]
    if (held === undefined || held === "") continue
    const decoded = Schema.decodeUnknownOption(schema, { onExcessProperty: "error" })(held)
    if (Option.isNone(decoded)) {
      const shown = secret ? `${held.length} characters (hidden)` : JSON.stringify(held)
      return Result.fail(new ConfigRefused({ message: `${name} holds ${shown}; it wants ${wants}.` }))
    }
    found[name] = decoded.value
  }
  return Result.succeed(found as Read)
}

const STRIPE = ["SVC_STRIPE_SECRET_KEY", "SVC_STRIPE_WEBHOOK_SECRET", "SVC_STRIPE_PRICES"] as const
const IDP = ["SVC_IDP_ISSUER", "SVC_IDP_CLIENT_ID", "SVC_IDP_CLIENT_SECRET"] as const

type Beside = { readonly [Name in keyof typeof SETTINGS]?: ReadonlyArray<keyof typeof SETTINGS> }

const group = (names: ReadonlyArray<keyof typeof SETTINGS>): Beside => Object.fromEntries(names.map((name) => [name, names]))

/** Settings that need others: half of a group would count as none, so that nobody pays or blobs stay on this disk. */
const WANTED: Beside = {
  SVC_DATABASE_URL: ["SVC_SECRET", "SVC_SMTP_URL"],
  ...group(STRIPE),
  SVC_STRIPE_API_URL: STRIPE,
  SVC_S3_ENDPOINT: ["SVC_S3_BUCKET"],
  SVC_S3_REGION: ["SVC_S3_BUCKET"],
  SVC_S3_FORCE_PATH_STYLE: ["SVC_S3_BUCKET"]
}

/** A setting that is present, and one that it needs and that is absent. */
const missing = (read: Read, wanted: Beside) => {
  for (const name of Object.keys(wanted) as Array<keyof typeof SETTINGS>) {
    const other = read[name] === undefined ? undefined : wanted[name]?.find((other) => read[other] === undefined)
    if (other !== undefined) return { name, other }
  }
  return undefined
}

/** What is wrong with these settings together, if anything. */
const conflicts = (read: Read, strangers: ReadonlyArray<Stranger>): string | undefined => {
  const misspelt = strangers.find(({ meant }) => meant !== undefined)
  if (misspelt !== undefined) return `${misspelt.name} is not a variable of svc; write ${misspelt.meant}, or unset it.`
  const half = missing(read, WANTED)
  if (half !== undefined) {
    const everywhere = half.other === "SVC_SECRET" ? ", the same on every instance" : ""
    return `${half.other} is missing; with ${half.name} it wants ${SETTINGS[half.other].wants}${everywhere}.`
  }
  if (read.SVC_PORT === 0 && read.SVC_BASE_URL === undefined) {
    return "SVC_PORT holds \"0\"; without SVC_BASE_URL it wants 1 to 65535: nobody could know the address of a port that is chosen at the start."
  }
  if (read.SVC_DATABASE_URL === undefined && (read.SVC_ROLE === "http" || read.SVC_ROLE === "worker")) {
    return `SVC_ROLE holds "${read.SVC_ROLE}"; with the embedded database it wants all, or set SVC_DATABASE_URL.`
  }
  if (read.SVC_CONTENT_DOMAIN === undefined && read.SVC_BASE_URL !== undefined && !URL.canParse(`http://slug.${new URL(read.SVC_BASE_URL).host}`)) {
    return `SVC_CONTENT_DOMAIN is missing; with an IP address in SVC_BASE_URL it wants ${SETTINGS.SVC_CONTENT_DOMAIN.wants}: nothing can be named below an IP address.`
  }
  return undefined
}

/** Others come to it, and nobody but this machine could read what it writes to them. */
const mailsNobody = ({ SVC_BASE_URL: base, SVC_DATABASE_URL: database, SVC_DEV_MAIL: open, SVC_SMTP_URL: smtp }: Read): boolean =>
  base !== undefined && !isOwnMachine(base) && database === undefined && smtp === undefined && open === undefined

/** Only a proxy can have its certificate: this service speaks plain HTTP. */
const isBehindUncounted = ({ SVC_BASE_URL: base, SVC_ROLE: role, SVC_TRUSTED_PROXY_HOPS: hops }: Read): boolean =>
  base?.startsWith("https:") === true && hops === undefined && role !== "worker"

/** What is logged at the start without stopping it: half a provider is refused to those who sign in, and everything else works. */
const warnings = (read: Read, strangers: ReadonlyArray<Stranger>): ReadonlyArray<string> => {
  const half = missing(read, group(IDP))
  return [
    ...(mailsNobody(read) ? [`SVC_SMTP_URL is missing; for others than this machine it wants ${SETTINGS.SVC_SMTP_URL.wants}. Until then no mail is sent, and nobody can confirm an address.`] : []),
    ...(isBehindUncounted(read) ? ["SVC_TRUSTED_PROXY_HOPS is missing; with an https address in SVC_BASE_URL it wants how many proxies stand in front, as a rule 1. Until then limits and unique visitors count everyone behind them as one."] : []),
    ...(half === undefined ? [] : [`${half.other} is missing; with ${half.name} it wants ${SETTINGS[half.other].wants}. Until then nobody signs in with the provider.`]),
    ...strangers.map(({ name }) => `${name} is not a variable of svc and changes nothing.`)
  ]
}

/** A site as browsers define it: the registrable domain, by the Public Suffix List. */
const siteOf = (host: string): string => {
  const name = hostOf(host)
  return getDomain(name, { allowPrivateDomains: true }) ?? name
}

const withDefaults = (read: Read, strangers: ReadonlyArray<Stranger>) => {
  const port = read.SVC_PORT ?? 8787
  const baseUrl = read.SVC_BASE_URL ?? new URL(`http://svc.localhost:${port}`).origin
  const base = new URL(baseUrl)
  const appUrl = read.SVC_APP_URL ?? baseUrl
  const contentDomain = read.SVC_CONTENT_DOMAIN ?? base.host
  const sameSite = [new URL(appUrl).host, contentDomain].every((host) => siteOf(host) === siteOf(base.host))
  return {
    host: read.SVC_HOST ?? "127.0.0.1",
    port,
    baseUrl,
    appUrl,
    contentDomain,
    /** Of our cookies: Lax if app and content share the site of the base address. */
    sameSite: sameSite ? "lax" as const : "none" as const,
    dataDir: read.SVC_DATA_DIR ?? ".data",
    databaseUrl: read.SVC_DATABASE_URL,
    s3: read.SVC_S3_BUCKET === undefined ? undefined : {
      bucket: read.SVC_S3_BUCKET,
      endpoint: read.SVC_S3_ENDPOINT,
      region: read.SVC_S3_REGION,
      forcePathStyle: read.SVC_S3_FORCE_PATH_STYLE === "true"
    },
    smtpUrl: read.SVC_SMTP_URL,
    mailFrom: read.SVC_MAIL_FROM ?? `svc <no-reply@${base.hostname}>`,
    secret: read.SVC_SECRET,
    secretPrevious: read.SVC_SECRET_PREVIOUS,
    idp: read.SVC_IDP_ISSUER === undefined || read.SVC_IDP_CLIENT_ID === undefined || read.SVC_IDP_CLIENT_SECRET === undefined
      ? undefined
      : { issuer: read.SVC_IDP_ISSUER, clientId: read.SVC_IDP_CLIENT_ID, clientSecret: read.SVC_IDP_CLIENT_SECRET },
    stripe: read.SVC_STRIPE_SECRET_KEY === undefined || read.SVC_STRIPE_WEBHOOK_SECRET === undefined
      ? undefined
      : {
        secretKey: read.SVC_STRIPE_SECRET_KEY,
        webhookSecret: read.SVC_STRIPE_WEBHOOK_SECRET,
        prices: read.SVC_STRIPE_PRICES ?? {},
        apiUrl: read.SVC_STRIPE_API_URL
      },
    redisUrl: read.SVC_REDIS_URL,
    trial: read.SVC_TRIAL ?? (read.SVC_STRIPE_SECRET_KEY === undefined ? "open" as const : "enforced" as const),
    platformAdmins: new Set(read.SVC_PLATFORM_ADMINS ?? []),
    securityContact: read.SVC_SECURITY_CONTACT,
    trustedProxyHops: read.SVC_TRUSTED_PROXY_HOPS ?? 0,
    role: read.SVC_ROLE ?? "all",
    drainSeconds: read.SVC_DRAIN_SECONDS ?? 0,
    log: read.SVC_LOG ?? "pretty",
    otlpUrl: read.SVC_OTLP_URL,
    /** Whether a first start makes the demo account. Its password stands in the log, so never where others come to. */
    demo: read.SVC_DATABASE_URL === undefined && isOwnMachine(baseUrl),
    /** Only the embedded default has the developer mailbox. */
    devMailbox: read.SVC_DATABASE_URL === undefined && read.SVC_SMTP_URL === undefined,
    devMailboxOpen: read.SVC_DEV_MAIL === "open",
    warnings: warnings(read, strangers)
  }
}

export type Settings = ReturnType<typeof withDefaults>

/** Reads the settings, or fails with the one line that says what is wrong with them. */
export const loadConfig = (environment: Environment): Effect.Effect<Settings, ConfigRefused> =>
  Effect.gen(function*() {
    const given = withoutServiceLinks(environment)
    const found = yield* Effect.fromResult(read(given))
    const strangers = strangersIn(given, Object.keys(SETTINGS))
    const conflict = conflicts(found, strangers)
    if (conflict !== undefined) return yield* new ConfigRefused({ message: conflict })
    return withDefaults(found, strangers)
  })
