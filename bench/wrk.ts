/** One run of wrk on the clients' core: answers per second and the median wait. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { CLIENT_CORE } from "./machine.ts"

const run = promisify(execFile)

export interface Load {
  readonly url: string
  readonly host?: string
  readonly range?: string
  /** The `Sec-Fetch-Dest` that a browser would send. */
  readonly dest?: string
  readonly cookie?: string
  readonly authorization?: string
  readonly connections: number
  readonly seconds: number
}

export interface Measured {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
}

/** A client without a User-Agent is no reader, and its pages would not be counted. */
const AGENT = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 }

export const wrk = async ({ authorization, connections, cookie, dest, host, range, seconds, url }: Load): Promise<Measured> => {
  const given = { Host: host, Range: range, "Sec-Fetch-Dest": dest, Cookie: cookie, Authorization: authorization }
  const headers = [AGENT, ...Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [`${name}: ${value}`])]
  const { stdout } = await run("taskset", [
    "-c", String(CLIENT_CORE), "wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency",
    ...headers.flatMap((header) => ["-H", header]), url
  ])
  // A fast refusal must not pass for a fast answer.
  const trouble = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(stdout)?.[0]
  if (trouble !== undefined) throw new Error(`${url} under load: ${trouble}`)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  const [, value, unit] = /50%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? []
  return { perSecond, p50: Number(value) * UNITS[unit ?? "ms"]! }
}
