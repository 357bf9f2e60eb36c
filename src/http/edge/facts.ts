/**
 * The facts that decide access, asked for by many requests in one query.
 *
 * 1. A request joins the batch that has not been sent yet: its facts are read after it arrived.
 * 2. A batch leaves at the end of the tick in which a lane is free, so whatever arrived meanwhile goes along.
 * 3. Nothing outlives its batch: there is no cache between a decision and the facts.
 */
import { Cause, Effect, Exit, Scope } from "effect"
import type { Site } from "../../domain/hosting/model.ts"
import { HostingStore } from "../../domain/hosting/store.ts"

/** Called once per request: with the site, with undefined where nobody holds the address, or that there is no telling. */
export interface Asker {
  readonly told: (site: Site | undefined) => void
  readonly failed: () => void
}

export interface FactsOptions {
  /** Queries in flight at a time. */
  readonly lanes?: number
  /** How long a request waits for its facts, the time before its query is sent included. */
  readonly patienceMs?: number
  /** At most once a second: a database that is down fails every batch. */
  readonly onTrouble: (cause: unknown) => void
}

const TROUBLE_MS = 1_000

interface Batch {
  readonly askers: Map<string, Array<Asker>>
  timer: NodeJS.Timeout | undefined
  cancel: (() => void) | undefined
  done: boolean
}

export type Ask = (slug: string, asker: Asker) => void

export const makeFacts = Effect.fnUntraced(function*(options: FactsOptions) {
  const store = yield* HostingStore
  const run = Effect.runCallbackWith(yield* Effect.context<never>())
  const patience = options.patienceMs ?? 5_000
  let free = options.lanes ?? 2
  let closed = false
  let next: Batch | undefined
  let scheduled = false
  let troubledAt = -Infinity
  const live = new Set<Batch>()

  const fail = (batch: Batch, cause: unknown): void => {
    if (!settle(batch)) return
    if (!closed && performance.now() - troubledAt >= TROUBLE_MS) {
      troubledAt = performance.now()
      options.onTrouble(cause)
    }
    for (const askers of batch.askers.values()) for (const asker of askers) asker.failed()
  }

  const settle = (batch: Batch): boolean => {
    if (batch.done) return false
    batch.done = true
    clearTimeout(batch.timer)
    live.delete(batch)
    if (batch === next) next = undefined
    else free++
    schedule()
    return true
  }

  const late = (batch: Batch): void => {
    const cancel = batch.cancel
    fail(batch, new Error(`The facts took longer than ${patience} ms`))
    cancel?.()
  }

  const send = (): void => {
    scheduled = false
    const batch = next
    if (batch === undefined || free === 0) return
    next = undefined
    free--
    batch.cancel = run(store.sites([...batch.askers.keys()]), {
      onExit: (exit) => {
        if (Exit.isFailure(exit)) return fail(batch, Cause.squash(exit.cause))
        if (!settle(batch)) return
        const sites = exit.value
        for (const [slug, askers] of batch.askers) {
          const site = sites.get(slug)
          for (const asker of askers) asker.told(site)
        }
      }
    })
  }

  const schedule = (): void => {
    if (scheduled || next === undefined || free === 0) return
    scheduled = true
    setImmediate(send)
  }

  const open = (): Batch => {
    const batch: Batch = { askers: new Map(), timer: undefined, cancel: undefined, done: false }
    batch.timer = setTimeout(late, patience, batch)
    live.add(batch)
    return batch
  }

  const ask: Ask = (slug, asker) => {
    if (closed) return asker.failed()
    next ??= open()
    const others = next.askers.get(slug)
    if (others === undefined) next.askers.set(slug, [asker])
    else others.push(asker)
    schedule()
  }

  yield* Scope.addFinalizer(yield* Effect.scope, Effect.sync(() => {
    closed = true
    for (const batch of live) {
      const cancel = batch.cancel
      fail(batch, new Error("The edge is closing"))
      cancel?.()
    }
  }))

  return ask
})
