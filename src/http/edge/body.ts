/** Reads the body of a small form whole, within limits of size and time. */
import type { IncomingMessage } from "node:http"

export interface BodyLimits {
  readonly bytes: number
  readonly ms: number
}

export type Received = Buffer | "too-large" | "too-slow" | "gone"

/** Calls back once. After "too-large" and "too-slow" the rest is not read: the answer must close the connection. */
export const receive = (req: IncomingMessage, { bytes, ms }: BodyLimits, done: (received: Received) => void): void => {
  if (Number(req.headers["content-length"] ?? 0) > bytes) return done("too-large")
  const chunks: Array<Buffer> = []
  let length = 0
  const over = (received: Received): void => {
    clearTimeout(timer)
    req.off("data", take).off("end", whole).off("close", left).off("error", left)
    // A connection that breaks later on concerns nobody, but must not be an unhandled error.
    req.on("error", () => {})
    done(received)
  }
  const take = (chunk: Buffer): void => {
    length += chunk.length
    if (length > bytes) return over("too-large")
    chunks.push(chunk)
  }
  const whole = () => over(Buffer.concat(chunks))
  const left = () => over("gone")
  const timer = setTimeout(over, ms, "too-slow")
  req.on("data", take).on("end", whole).on("close", left).on("error", left)
}
