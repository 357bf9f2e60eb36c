/** The cookie that carries a pass on a project's host; what is kept and asked for is its hash. */
import { hash } from "node:crypto"
import { PASS_LASTS } from "../../domain/hosting/rules.ts"

const NAME = "__Host-svc_gate"
/** Whatever is no token of ours is no pass: it is neither hashed nor asked for. */
const CARRIED = new RegExp(`(?:^|;)[ \\t]*${NAME}=([\\w-]{43})[ \\t]*(?:;|$)`)

/** The pass as it came; undefined for most requests, which carry none. */
export const passIn = (cookie: string | undefined): string | undefined => cookie === undefined ? undefined : CARRIED.exec(cookie)?.[1]

/** As the service's tokens are kept: SHA-256 in lower-case hex, synchronously. */
export const hashOf = (raw: string): string => hash("sha256", raw, "hex")

export const passCookie = (raw: string): string =>
  `${NAME}=${raw}; Path=/; Max-Age=${PASS_LASTS.days * 86_400}; Secure; HttpOnly; SameSite=Lax`
