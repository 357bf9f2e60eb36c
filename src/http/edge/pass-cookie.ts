/** The cookie that carries a pass on a project's host; only its hash is stored and looked up. */
import { hash } from "node:crypto"
import { PASS_LASTS } from "../../domain/hosting/rules.ts"
import { cookieValue } from "./cookie-value.ts"

const NAME = "__Host-svc_gate"
/** The pass as it came. A value that does not look like our tokens is not a pass: it is neither hashed nor looked up. */
export const passIn = cookieValue(NAME, "[\\w-]{43}")

/** SHA-256 in lower-case hex, as the service stores its tokens; synchronous. Null for none. */
export const hashOf = (raw: string | undefined): string | null => raw === undefined ? null : hash("sha256", raw, "hex")

export const passCookie = (raw: string): string =>
  `${NAME}=${raw}; Path=/; Max-Age=${PASS_LASTS.days * 86_400}; Secure; HttpOnly; SameSite=Lax`
