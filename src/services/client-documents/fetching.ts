/**
 * Fetches one document from one address, and is not led anywhere else:
 * 1. The address is https on the default port, has a path, and is written in its normal form.
 * 2. Its host name is resolved once; every address found must be global.
 * 3. The connection goes to one of those very addresses, the first of either family, with TLS for the host name. No redirect is followed.
 * 4. The answer is 200, JSON, at most 5 KB.
 */
import { request } from "node:https"
import type { IncomingMessage } from "node:http"
import { isIP } from "node:net"
import { bareHost } from "../../domain/host-names.ts"
import { isGlobalAddress } from "./global-addresses.ts"
import { resolving } from "./resolving.ts"

const MAX_BYTES = 5 * 1024

/** One after the other, the last for as long as there is time: a packet that is lost is sent again after a second. */
const BY_EITHER_FAMILY = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 2_000 } as const

export interface Fetching {
  readonly resolve: (name: string, signal: AbortSignal) => Promise<ReadonlyArray<string>>
  readonly mayConnect: (address: string) => boolean
  readonly port: number
  /** The certificate authority to trust, for tests; undefined for the usual ones. */
  readonly ca: string | undefined
}

export const openInternet: Fetching = {
  resolve: resolving(),
  mayConnect: isGlobalAddress,
  port: 443,
  ca: undefined
}

export interface Document {
  readonly json: unknown
  /** How long the document's server says that it stays valid; undefined if it says nothing. */
  readonly maxAgeSeconds: number | undefined
}

/** Step 1. */
export const documentAddress = (text: string): URL | undefined => {
  if (text.length > 2000 || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const plain = url.protocol === "https:" && url.port === "" && url.username === "" && url.password === "" && url.hash === ""
  return plain && url.href === text && url.pathname !== "/" && isIP(bareHost(url.hostname)) === 0 ? url : undefined
}

const maxAge = (header: string | undefined): number | undefined => {
  if (header === undefined) return undefined
  if (/\bno-(?:store|cache)\b/i.test(header)) return 0
  const found = /\bmax-age=(\d{1,9})\b/i.exec(header)
  return found === null ? undefined : Number(found[1])
}

/** Step 4. */
const read = async (response: IncomingMessage): Promise<Document | undefined> => {
  const type = response.headers["content-type"] ?? ""
  if (response.statusCode !== 200 || !/^application\/(?:[a-z0-9.+-]+\+)?json\b/i.test(type)) return undefined
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return { json: JSON.parse(Buffer.concat(chunks).toString("utf8")), maxAgeSeconds: maxAge(response.headers["cache-control"]) }
}

/** Undefined for anything that is not such a document; rejects if the network fails or `signal` aborts. */
export const fetchDocument = async (text: string, { ca, mayConnect, port, resolve }: Fetching, signal: AbortSignal): Promise<Document | undefined> => {
  const url = documentAddress(text)
  if (url === undefined) return undefined
  // Step 2.
  const addresses = await resolve(url.hostname, signal)
  if (addresses.length === 0 || signal.aborted || !addresses.every(mayConnect)) return undefined
  // Step 3.
  const ways = [4, 6].flatMap((family) => addresses.filter((address) => isIP(address) === family).slice(0, 1).map((address) => ({ address, family })))
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request({
      host: url.hostname,
      lookup: (_name, _options, found) => found(null, ways),
      ...BY_EITHER_FAMILY,
      port,
      servername: url.hostname,
      path: url.pathname + url.search,
      headers: { host: url.hostname, accept: "application/json", "user-agent": "svc" },
      agent: false,
      signal,
      ...(ca === undefined ? {} : { ca })
    }, answered).once("error", failed).end()
  })
  try {
    return await read(response)
  } finally {
    response.destroy()
  }
}
