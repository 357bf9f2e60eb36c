/** Client metadata documents, fetched within 5 s and cached: for a day at most, a failure for a minute (CONTRACT §4). */
import { Cache, Duration, Effect, Exit, Layer, Option, Semaphore } from "effect"
import { ClientDocuments } from "../../domain/ports/client-documents.ts"
import type { Document, Fetching } from "./fetching.ts"
import { fetchDocument, openInternet } from "./fetching.ts"

const PATIENCE_MS = 5_000

/** Fetches under way in this process; further ones wait for their turn. */
const AT_ONCE = 32

const CAPACITY = 1_000
const FAILURE = Duration.minutes(1)

/** As long as the document's server says, between a minute and a day; an hour if it says nothing. */
const held = ({ maxAgeSeconds = 3600 }: Document): Duration.Duration => Duration.seconds(Math.min(86_400, Math.max(60, maxAgeSeconds)))

export const ClientDocumentsFetched = (fetching: Fetching = openInternet) =>
  Layer.effect(
    ClientDocuments,
    Effect.gen(function*() {
      const turns = yield* Semaphore.make(AT_ONCE)
      const once = (address: string) =>
        Effect.tryPromise((signal) => fetchDocument(address, fetching, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))).pipe(
          Effect.timeout(PATIENCE_MS),
          Effect.map(Option.fromUndefinedOr),
          Effect.catch(() => Effect.succeed(Option.none<Document>())),
          turns.withPermits(1)
        )
      const cache = yield* Cache.makeWith(once, {
        capacity: CAPACITY,
        timeToLive: (exit) => Exit.isSuccess(exit) && Option.isSome(exit.value) ? held(exit.value.value) : FAILURE
      })
      return ClientDocuments.of({
        fetch: (address) => Effect.map(Cache.get(cache, address), Option.map(({ json }) => json))
      })
    })
  )
