/** A reader's name for one day at one project: it reveals nothing once the day's key is gone (CONTRACT §9). */
import { hash, randomBytes } from "node:crypto"

export const newVisitorKey = (): Buffer => randomBytes(32)

/** 16 bytes of SHA-256 in hex, with a secret prefix of fixed length: truncated, so that no length extension is possible. */
export const visitorOf = (key: string, address: string, userAgent: string): string =>
  hash("sha256", `${key}${address}\n${userAgent}`, "hex").slice(0, 32)
