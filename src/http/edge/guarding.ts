/** How steps that run later, or throw, still end in an answer. */
import type { Exchange } from "./exchange.ts"
import { refuse } from "./refusals.ts"

/** Told whatever made an answer 500 or 503, or cut one short; `requestId` where it concerns a single request. */
export type OnDefect = (cause: unknown, requestId: string | undefined) => void

export interface Guards {
  /** Turns whatever `step` throws into an answer. */
  readonly guarded: (x: Exchange, step: () => void) => void
  /** Answers that what is asked for cannot be had now. */
  readonly unavailable: (x: Exchange, cause: unknown) => void
}

/** A bug must not take down the process, or the other requests of the same batch. */
export const guardsWith = (defect: OnDefect, baseUrl: string): Guards => {
  const guarded: Guards["guarded"] = (x, step) => {
    try {
      step()
    } catch (cause) {
      defect(cause, x.id)
      try {
        if (x.res.headersSent) x.res.destroy()
        else refuse(x, "internal", baseUrl)
      } catch {
        x.res.destroy()
      }
    }
  }
  const unavailable: Guards["unavailable"] = (x, cause) => {
    defect(cause, x.id)
    guarded(x, () => refuse(x, "unavailable", baseUrl))
  }
  return { guarded, unavailable }
}
