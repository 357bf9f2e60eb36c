/**
 * The facts that decide access, asked for by many requests in one query.
 *
 * 1. A request joins the batch that has not been sent yet: its facts are read after it arrived.
 * 2. A batch is sent at the end of the tick in which a lane is free, so that requests that arrived meanwhile join it.
 * 3. Nothing outlives its batch: there is no cache between a decision and the facts.
 */
import { Cause, Effect, Exit, Scope } from "effect"
import { HostingStore } from "../../domain/hosting/store.ts"

/** `told` with the facts (undefined where nobody holds the address), or `failed` where they cannot be read; exactly one, once per request. */
interface Asker<Facts> {
  readonly told: (facts: Facts | undefined) => void
  readonly failed: () => void
}

/** Whose facts are wanted: a host's label, and the hash of the secret that the request carries. */
interface Asked {
  readonly name: string
  readonly secret: string | null
}

export interface Waiting {
  /** Queries in flight at a time. */
  readonly lanes?: number | undefined
  /** How long a request waits for its facts, the time before its query is sent included. */
  readonly patienceMs?: number | undefined
  /** Called at most once a second: a database that is down fails every batch. */
  readonly onTrouble: (cause: unknown) => void
}

interface FactsOptions<Facts> extends Waiting {
  /** The facts of all of them in one round trip, in their order. */
  readonly read: (asked: ReadonlyArray<Asked>) => Effect.Effect<ReadonlyArray<Facts | undefined>>
}

const TROUBLE_MS = 1_000

interface Group<Facts> extends Asked {
  readonly askers: Array<Asker<Facts>>
}

interface Batch<Facts> {
  readonly groups: Map<string, Group<Facts>>
  timer: NodeJS.Timeout | undefined
  cancel: (() => void) | undefined
  done: boolean
}

export type Ask<Facts> = (name: string, secret: string | null, asker: Asker<Facts>) => void

const makeFacts = Effect.fnUntraced(function*<Facts>(options: FactsOptions<Facts>) {
  const run = Effect.runCallbackWith(yield* Effect.context<never>())
  const patience = options.patienceMs ?? 5_000
  let free = options.lanes ?? 2
  let closed = false
  let next: Batch<Facts> | undefined
  let scheduled = false
  let troubledAt = -Infinity
  const live = new Set<Batch<Facts>>()

  const fail = (batch: Batch<Facts>, cause: unknown): void => {
    if (!end(batch)) return
    if (!closed && performance.now() - troubledAt >= TROUBLE_MS) {
      troubledAt = performance.now()
      options.onTrouble(cause)
    }
    for (const { askers } of batch.groups.values()) for (const asker of askers) asker.failed()
  }

  const end = (batch: Batch<Facts>): boolean => {
    if (batch.done) return false
    batch.done = true
    clearTimeout(batch.timer)
    live.delete(batch)
    if (batch === next) next = undefined
    else free++
    schedule()
    return true
  }

  const late = (batch: Batch<Facts>): void => {
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
    const groups = [...batch.groups.values()]
    batch.cancel = run(options.read(groups), {
      onExit: (exit) => {
        if (Exit.isFailure(exit)) return fail(batch, Cause.squash(exit.cause))
        if (!end(batch)) return
        const found = exit.value
        groups.forEach(({ askers }, index) => {
          for (const asker of askers) asker.told(found[index])
        })
      }
    })
  }

  const schedule = (): void => {
    if (scheduled || next === undefined || free === 0) return
    scheduled = true
    setImmediate(send)
  }

  const open = (): Batch<Facts> => {
    const batch: Batch<Facts> = { groups: new Map(), timer: undefined, cancel: undefined, done: false }
    batch.timer = setTimeout(late, patience, batch)
    live.add(batch)
    return batch
  }

  const ask: Ask<Facts> = (name, secret, asker) => {
    if (closed) return asker.failed()
    next ??= open()
    const key = secret === null ? name : `${name} ${secret}`
    const group = next.groups.get(key)
    if (group === undefined) next.groups.set(key, { name, secret, askers: [asker] })
    else group.askers.push(asker)
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

/** One asker for projects and one for frames. */
export const makeAskers = Effect.fnUntraced(function*(waiting: Waiting) {
  const store = yield* HostingStore
  const ask = yield* makeFacts({
    read: (asked) => store.visits(asked.map(({ name, secret }) => ({ slug: name, pass: secret }))),
    ...waiting
  })
  const askFrame = yield* makeFacts({
    read: (asked) => store.frameVisits(asked.map(({ name, secret }) => ({ name, key: secret }))),
    ...waiting
  })
  return { ask, askFrame }
})
