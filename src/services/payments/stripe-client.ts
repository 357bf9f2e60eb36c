/** Stripe's own client, loaded when first needed, since most starts never ask it anything. */
import { Effect, Redacted } from "effect"
import type { Offers } from "../../domain/billing/model.ts"

export interface StripeSettings {
  readonly secretKey: Redacted.Redacted<string>
  readonly webhookSecret: Redacted.Redacted<string>
  readonly prices: Offers
  /** The address of a test double; undefined for Stripe itself. */
  readonly apiUrl: string | undefined
  /** For one request. */
  readonly patienceMs?: number
}

export const PATIENCE_MS = 6_000

const elsewhere = (apiUrl: string | undefined) => {
  if (apiUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  return { host: hostname, protocol: protocol === "http:" ? "http" as const : "https" as const, ...(port === "" ? {} : { port }) }
}

export const makeStripe = ({ apiUrl, patienceMs = PATIENCE_MS, secretKey }: StripeSettings) =>
  Effect.cached(Effect.promise(async () => {
    const { default: Stripe } = await import("stripe")
    return new Stripe(Redacted.value(secretKey), {
      ...elsewhere(apiUrl),
      timeout: patienceMs,
      // The caller knows better what is worth another try.
      maxNetworkRetries: 0,
      telemetry: false
    })
  }))
