/** Who a reader is for one day at one project: a name that says nothing once the day's key is gone (CONTRACT §9). */
import { hash, randomBytes } from "node:crypto"

export const newVisitorKey = (): Buffer => randomBytes(32)

/** 16 bytes of SHA-256 in hex, under a secret prefix of fixed length: truncated, so that nothing can be appended to it. */
export const visitorOf = (key: string, address: string, userAgent: string): string =>
  hash("sha256", `${key}${address}\n${userAgent}`, "hex").slice(0, 32)
