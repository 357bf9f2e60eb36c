/** What SVC_DATABASE_URL may say behind its `?`: the driver ignores what it does not know, also where that protects the connection. */
import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { StartRefused } from "../start-refused.ts"

/** The last two give way to our own. */
const KNOWN = new Set(["host", "port", "user", "password", "dbname", "options", "sslmode", "sslrootcert", "application_name", "connect_timeout"])

const CHECKED = new Set(["require", "verify-ca", "verify-full"])

const MODES = new Set(["disable", "allow", "prefer", ...CHECKED])

const AUTHORITY = "the certificate of its authority goes into sslrootcert or NODE_EXTRA_CA_CERTS"

const NO_CLIENTS = "client certificates are not supported: write sslmode=verify-full and a password instead"

/** Taking one of these out would leave a plain connection where TLS was meant. */
const INSTEAD: Readonly<Record<string, string>> = { ssl: "write sslmode=verify-full instead", sslcert: NO_CLIENTS, sslkey: NO_CLIENTS }

/** What the address says that would not be done, if anything. */
export const ignoredIn = (url: string): string | undefined => {
  const { hash, searchParams } = new URL(url)
  if (hash !== "") return "SVC_DATABASE_URL holds a #, and all behind it would be ignored; in a password write it as %23."
  const said = Object.fromEntries(searchParams)
  const unknown = Object.keys(said).find((name) => !KNOWN.has(name))
  if (unknown !== undefined) {
    // What does not look like a parameter may be a part of the password.
    const name = /^[a-z_]{1,32}$/.test(unknown) ? unknown : "a parameter"
    return `SVC_DATABASE_URL sets ${name}, which would be ignored; ${INSTEAD[name] ?? "take it out"}.${unknown.startsWith("ssl") ? ` With TLS, ${AUTHORITY}.` : ""}`
  }
  const { sslmode, sslrootcert } = said
  if (sslmode !== undefined && !MODES.has(sslmode)) return `sslmode in SVC_DATABASE_URL is none of ${[...MODES].join(", ")}; correct it.`
  return sslrootcert !== undefined && !CHECKED.has(sslmode ?? "")
    ? "SVC_DATABASE_URL sets sslrootcert, which would be ignored; add sslmode=verify-full."
    : undefined
}

/** Node's own list of authorities unless `sslrootcert` names a file. */
export const authorityIn = (url: string): Effect.Effect<Buffer | undefined, StartRefused> => {
  const file = new URL(url).searchParams.get("sslrootcert") ?? "system"
  return file === "system" ? Effect.succeed(undefined) : Effect.tryPromise({
    try: () => readFile(file),
    catch: (cause) => new StartRefused({ message: `sslrootcert in SVC_DATABASE_URL names no file that can be read (${cause instanceof Error ? cause.message : String(cause)}).` })
  })
}

const UNTRUSTED = /^(?:(?:DEPTH_ZERO_)?SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_CERT_)/

/** What to do about a pooler, between which and us sessions mean little. */
export const BEHIND = " It wants the PostgreSQL behind PgBouncer or another pooler: live comments and jobs need sessions of their own."

/** What to do about a certificate that was not accepted, and about a pooler: PgBouncer refuses the settings of a session unless it is told to ignore them. */
export const hintFor = (error: Error): string => {
  if ("code" in error && UNTRUSTED.test(String(error.code))) return ` Its certificate is always checked: ${AUTHORITY}, and the host has to be one that it names.`
  return /unsupported startup parameter/.test(error.message) ? BEHIND : ""
}
