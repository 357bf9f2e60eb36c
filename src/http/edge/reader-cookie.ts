/** The cookie that names a reader at a project's host, for whom our page there proves itself (hosting/shell-proofs.ts); it opens nothing. */
import { LIFETIME } from "../../domain/sessions/sessions.ts"
import { cookieValue } from "./cookie-value.ts"

const NAME = "__Host-svc_reader"

export const readerIn = cookieValue(NAME, "[\\w.-]{1,1000}")

export const readerCookie = (raw: string): string => `${NAME}=${raw}; Path=/; Max-Age=${LIFETIME.days * 86_400}; Secure; HttpOnly; SameSite=Lax`
