/** Stripe's own client: loaded at the first need, since most starts never ask it anything. */
import { Effect, Redacted } from "effect"
import type { Offers } from "../../domain/billing/model.ts"

export interface StripeSettings {
  readonly secretKey: Redacted.Redacted<string>
  readonly webhookSecret: Redacted.Redacted<string>
  readonly prices: Offers
  /** Of a test double; Stripe itself where there is none. */
  readonly apiUrl: string | undefined
  /** Of one request. */
  readonly patienceMs?: number
}

const PATIENCE_MS = 6_000

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
      // What is worth another try is known better by who asks.
      maxNetworkRetries: 0,
      telemetry: false
    })
  }))
