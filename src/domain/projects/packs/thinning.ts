/**
 * Wiping bytes that no version names any more from packs that other versions still name:
 *
 * 1. A version goes (services/database/versions.ts): each pack that it named and another version still names is marked as loosened.
 * 2. Every hour, settling: whatever a manifest names of a marked pack is living, and the rest is dead. Dead bytes stop counting,
 *    and no later publish finds them by their hashes.
 * 3. GUARD later, when nobody reads them any more, wiping: liveness is computed anew, then the store replaces the pack by a copy
 *    without its dead bytes.
 *
 * Manifests are many and long, so they are read without a lock; behind the workspace's lock, which every publish takes, only those
 * that came meanwhile are read. What is dead when step 3 commits can never be named again: a restored or merged version names what
 * a manifest names, and a publish that found dead bytes before step 2 is refused (`thinnings`) or, up to step 3, makes them living.
 */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { sumAll } from "effect/Number"
import { orNone } from "../../batches.ts"
import { Atomically } from "../../ports/atomically.ts"
import type { LivingRange } from "../../ports/packs.ts"
import { Packs } from "../../ports/packs.ts"
import { WorkspaceStore } from "../../workspaces/store.ts"
import type { VersionId } from "../model.ts"
import { all, bytesIn, disjoint, inOrder, without } from "./ranges.ts"
import { GUARD } from "../rules.ts"
import type { LoosePack, MarkedPack, NamedBody, Naming } from "./thinning-store.ts"
import { ThinningStore } from "./thinning-store.ts"

/** Packs of a workspace that are looked at together: a manifest is read once for all of them. */
const AT_ONCE = 50
/** At most so many marked packs, and about so many manifests, in one turn: the next one goes on with what is still marked. */
const MARKED_A_TURN = 20_000
const READ_A_TURN = 20_000
const WIPED_A_TURN = 500

/** What the manifests read so far name of some packs. */
class Survey {
  readonly read = new Set<VersionId>()
  readonly #named = new Map<string, { readonly bodies: Map<string, LivingRange>; bytes: number }>()

  add(bodies: ReadonlyArray<NamedBody>): void {
    for (const { hash, length, offset, pack } of bodies) {
      const named = this.#named.get(pack) ?? { bodies: new Map<string, LivingRange>(), bytes: 0 }
      const key = `${offset}-${length}-${hash}`
      if (!named.bodies.has(key)) named.bytes += length
      named.bodies.set(key, { offset, length, hash })
      this.#named.set(pack, named)
    }
  }

  living(pack: string): ReadonlyArray<LivingRange> {
    return inOrder(this.#named.get(pack)?.bodies.values() ?? [])
  }

  /** Whether no manifest can name more of it. */
  isWhole({ id, length, untouched }: MarkedPack): boolean {
    return untouched && this.#named.get(id)?.bytes === length
  }
}

const isDue = (since: DateTime.Utc, now: DateTime.Utc): boolean => DateTime.isLessThan(since, DateTime.subtract(now, GUARD))

const ids = (packs: ReadonlyArray<MarkedPack>) => packs.map(({ id }) => id)

export class Thinning extends Context.Service<Thinning>()("svc/domain/projects/Thinning", {
  make: Effect.gen(function*() {
    const store = yield* ThinningStore
    const workspaces = yield* WorkspaceStore
    const packs = yield* Packs
    const { atomically } = yield* Atomically

    /** Reads the manifests that were not read yet, as long as they can name more of these packs. */
    const read = Effect.fnUntraced(function*(survey: Survey, loose: ReadonlyArray<MarkedPack>, naming: ReadonlyArray<Naming>) {
      const versions = Map.groupBy(naming, ({ version }) => version)
      let open = loose.filter((pack) => !survey.isWhole(pack))
      for (const [version, names] of versions) {
        if (survey.read.has(version)) continue
        const asked = names.map(({ pack }) => pack).filter((pack) => open.some(({ id }) => id === pack))
        if (asked.length === 0) continue
        survey.add(yield* store.bodies(version, asked))
        survey.read.add(version)
        open = open.filter((pack) => !survey.isWhole(pack))
      }
    })

    /**
     * Runs `use` behind a workspace's lock with what is living of its packs. A version that was read and went before the lock may have
     * been the last to name some bytes: its packs are left out, and looked at again next time.
     */
    const surveyed = Effect.fnUntraced(function*<A>(
      loose: ReadonlyArray<MarkedPack>,
      use: (held: ReadonlyArray<LoosePack>, survey: Survey, now: DateTime.Utc) => Effect.Effect<A>
    ) {
      const survey = new Survey()
      const before = yield* store.naming(ids(loose))
      yield* read(survey, loose, before)
      const used = yield* atomically(Effect.gen(function*() {
        if (Option.isNone(yield* workspaces.lock(loose[0]!.workspaceId))) return Option.none<A>()
        const held = yield* store.hold(ids(loose))
        const naming = yield* store.naming(ids(held))
        const wereRead = new Set(survey.read)
        yield* read(survey, held, naming)
        const there = new Set(naming.map(({ version }) => version))
        const stale = new Set(before.filter(({ version }) => wereRead.has(version) && !there.has(version)).map(({ pack }) => pack))
        return Option.some(yield* use(held.filter(({ id }) => !stale.has(id)), survey, yield* DateTime.now))
      }))
      return { used, read: survey.read.size }
    })

    /** The living and the dead ranges of a pack; none where manifests contradict each other or its length, and nothing of it may go. */
    const partsOf = Effect.fnUntraced(function*(pack: LoosePack, survey: Survey) {
      const living = survey.living(pack.id)
      const whole = all(pack.length)
      if (disjoint(living) && without(living, whole).length === 0) return Option.some({ living, dead: without(whole, living) })
      yield* Effect.logError("a pack is not thinned: manifests name ranges of it that cannot be").pipe(Effect.annotateLogs({ pack: pack.id }))
      return Option.none()
    })

    /** Answers the pack if it needs no more looking at. */
    const settleOne = Effect.fnUntraced(function*(pack: LoosePack, survey: Survey, now: DateTime.Utc) {
      const parts = Option.getOrUndefined(yield* partsOf(pack, survey))
      if (parts === undefined) return [pack.id]
      const { dead, living } = parts
      const fresh = without(dead, pack.dead).length > 0
      const waits = pack.thinningSince !== null
      const waiting = waits ? without(pack.dead, living) : pack.dead
      if (!fresh && bytesIn(waiting) === bytesIn(pack.dead) && bytesIn(living) === pack.countedBytes) return [pack.id]
      const begins = fresh && !waits
      yield* store.settle(pack, {
        living,
        // Bytes that a version names again have a GUARD of their own when they die again.
        dead: begins ? dead : waiting,
        // Bytes that died while others wait to be wiped have a GUARD of their own: they begin to wait once those are wiped.
        marked: fresh && waits,
        thinnings: pack.thinnings,
        thinningSince: begins ? now : undefined
      }, now)
      return []
    })

    /** Has only the living bytes of marked packs count; answers how many packs it looked at. */
    const settle = Effect.fn("Thinning.settle")(function*() {
      const marked = yield* store.loosened(MARKED_A_TURN)
      let [looked, manifests] = [0, 0]
      for (const ofWorkspace of Map.groupBy(marked, ({ workspaceId }) => workspaceId).values()) {
        for (let at = 0; at < ofWorkspace.length && manifests < READ_A_TURN; at += AT_ONCE) {
          const some = ofWorkspace.slice(at, at + AT_ONCE)
          manifests += yield* surveyed(some, Effect.fnUntraced(function*(held, survey, now) {
            const done = yield* Effect.forEach(held, (pack) => settleOne(pack, survey, now))
            yield* store.unmark(done.flat())
          })).pipe(
            Effect.map(({ read }) => read),
            orNone("packs not settled")
          )
          looked += some.length
        }
      }
      return looked
    })

    /** What is to be wiped of a pack. Once this commits, no version can name any of it again. */
    const condemn = Effect.fnUntraced(function*(loose: MarkedPack) {
      const { used } = yield* surveyed([loose], Effect.fnUntraced(function*([pack], survey, now) {
        // Bytes that were named again meanwhile have the pack wait anew.
        if (pack === undefined || pack.thinningSince === null || !isDue(pack.thinningSince, now)) return Option.none()
        return yield* Effect.flatMap(partsOf(pack, survey), Option.match({
          onNone: () => Effect.as(store.thinned(pack.id, pack.thinnings), Option.none()),
          onSome: Effect.fnUntraced(function*(parts) {
            const dead = without(pack.dead, parts.living)
            const thinnings = pack.thinnings + 1
            const marked = without(parts.dead, dead).length > 0
            yield* store.settle(pack, { living: parts.living, dead, marked, thinnings, thinningSince: undefined }, now)
            return Option.some({ living: parts.living, dead, thinnings })
          })
        }))
      }))
      return Option.flatten(used)
    })

    /** A publish changes rows of packs by what it deletes in the same statement, which PostgreSQL refuses if another one changes them meanwhile. */
    const whileLocked = <A>({ workspaceId }: MarkedPack, change: Effect.Effect<A>) => atomically(Effect.andThen(workspaces.lock(workspaceId), change))

    const wipeOne = Effect.fnUntraced(function*(loose: MarkedPack) {
      const condemned = yield* condemn(loose)
      if (Option.isNone(condemned)) return 0
      const { dead, living, thinnings } = condemned.value
      const wiped = dead.length === 0 || (yield* packs.thin(loose.id, dead, living))
      if (!wiped) {
        yield* Effect.logError("a pack is not thinned: its living bytes are not what manifests say").pipe(Effect.annotateLogs({ pack: loose.id }))
      }
      // Its workspace was erased meanwhile: what was put in the pack's place must not stay.
      if (!(yield* whileLocked(loose, store.thinned(loose.id, thinnings)))) yield* packs.remove(loose.id)
      return wiped ? 1 : 0
    })

    /** Wipes what has waited for longer than GUARD; answers how many packs it thinned. A pack that the store cannot reach waits anew. */
    const wipe = Effect.fn("Thinning.wipe")(function*() {
      const now = yield* DateTime.now
      const due = yield* store.due(DateTime.subtract(now, GUARD), WIPED_A_TURN)
      const wiped = yield* Effect.forEach(due, (loose) =>
        wipeOne(loose).pipe(
          Effect.catchTag("unavailable", () => Effect.as(whileLocked(loose, store.postpone(loose.id, now)), 0)),
          orNone("a pack not thinned")
        ))
      return sumAll(wiped)
    })

    return { settle, wipe }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
