/** Which command shows what became of a change whose answer was lost. */
import type { HttpClientRequest } from "effect/http/HttpClientRequest"
import { asWord } from "./words.ts"

const SHOWN: ReadonlyArray<readonly [path: RegExp, command: string, then?: string]> = [
  [/^\/v1\/projects\/([^/]+)\/share-links$/, "svc share list $1", "If so, revoke it and make another: its address was in that answer alone."],
  [/^\/v1\/projects\/([^/]+)\/comment-allowlist$/, "svc commenters list $1"],
  [/^\/v1\/projects\/([^/]+)\/versions\/.*/, "svc versions $1"],
  [/^\/v1\/projects\/.*/, "svc list"],
  [/^\/v1\/share-links\/.*/, "svc share list <slug>"],
  [/^\/v1\/comments\/.*/, "svc comments list <slug> --status all"],
  [/^\/v1\/folders.*/, "svc folders list"],
  [/^\/v1\/workspace\/invites.*/, "svc invites list"],
  [/^\/v1\/workspace\/members\/.*/, "svc members list"],
  [/^\/v1\/tokens\/.*/, "svc tokens list"],
  [/^\/v1\/workspace\/export$/, "svc export status"]
]

type Given = Readonly<Record<string, string>>

const shows = (command: string): string => `${command}   shows whether it is.`

/** The administrators' procedures that change something; all of them have one path. */
const ADMINISTERED: Readonly<Record<string, (given: Given) => string>> = {
  inviteOwner: () => "Run it again: the newer mail takes the place of the older one.",
  extendTrial: ({ workspace = "" }) => shows(`svc admin workspace ${asWord(workspace)}`),
  restoreDeletion: ({ id = "", type = "" }) => shows(`svc admin ${type} ${asWord(id)}`),
  takeDown: () => shows("svc admin taken-down"),
  putBack: () => shows("svc admin taken-down"),
  retryMail: () => shows("svc admin mails"),
  retryJob: () => shows("svc admin jobs")
}

const procedureIn = ({ body }: HttpClientRequest): string | undefined => {
  if (body._tag !== "Uint8Array") return undefined
  const { payload, tag } = JSON.parse(new TextDecoder().decode(body.body)) as { readonly payload: Given; readonly tag: string }
  return ADMINISTERED[tag]?.(payload)
}

/** Undefined where nothing would be left of it. The service's own address may have a path too. */
export const whereShown = (request: HttpClientRequest): string | undefined => {
  if (request.method === "GET") return undefined
  const { pathname } = new URL(request.url)
  if (/^\/rpc\/?$/.test(pathname)) return procedureIn(request)
  const path = pathname.slice(pathname.indexOf("/v1/"))
  const found = SHOWN.find(([there]) => there.test(path))
  if (found === undefined) return undefined
  const [there, command, then] = found
  return [shows(path.replace(there, command)), ...(then === undefined ? [] : [then])].join(" ")
}
