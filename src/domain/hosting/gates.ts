/**
 * The ways through a project's gate (CONTRACT §9). Each ends in a pass: a row that records how its holder came in, and a
 * random cookie of which only the hash is stored. The pass proves nothing by itself: `holds` decides on every request.
 *
 * - Doorcode: sent by a form; tries are limited per address and project before anything is compared.
 * - Share link: the open is counted and whoever looks after the project told of the first one; after that the browser carries the
 *   pass, not the token. A member who opens a link keeps their own pass, and nothing is counted: the link is meant for somebody else.
 * - Member: the service, which knows the session, issues a key for a minute; the project's host spends it.
 *   Such a pass depends on that session: it ends when the session expires, or its browser signs out or signs in anew.
 * - Reader: whoever comes to comment is named at a project's host whose pages must prove themselves. That opens nothing.
 * - Frame: the shell, which has the pass, issues a key; the frame's host spends it for a cookie of its own.
 */
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { AccountStore } from "../accounts/store.ts"
import { inBatches } from "../batches.ts"
import { InvalidToken, NotFound } from "../failures.ts"
import { orFail } from "../found.ts"
import { Addresses } from "../ports/addresses.ts"
import { Atomically } from "../ports/atomically.ts"
import { Mail, Mailer } from "../ports/mailer.ts"
import { Policies } from "../ports/policies.ts"
import { RateLimits } from "../ports/rate-limits.ts"
import { Tokens } from "../ports/tokens.ts"
import * as AccessRules from "../projects/access-rules.ts"
import { isMeant } from "../projects/doorcodes.ts"
import { makeTellable } from "../projects/looking-after.ts"
import { ProjectId } from "../projects/model.ts"
import { ProjectStore } from "../projects/store.ts"
import { endOf, LIFETIME } from "../sessions/sessions.ts"
import type { Session, SignedIn } from "../sessions/sessions.ts"
import { makeQueues } from "../turns.ts"
import { EntryKeys, KEYS_KEPT } from "./entry-keys.ts"
import { PassId } from "./model.ts"
import type { NewPass, Pass, Site } from "./model.ts"
import { door, holds, isPutAway, LIMITS, mustProve, notWithin, PASS_LASTS, wrongDoorcode } from "./rules.ts"
import type { Closed } from "./rules.ts"
import { readerOf, ShellProofs } from "./shell-proofs.ts"
import { HostingStore, PassStore } from "./store.ts"
import type { OpenedLink } from "./store.ts"

/** `cookie`: the pass, to be set on the project's host; undefined if none is needed or the browser has it already. `reader`: who came in, for shell-proofs.ts. */
export type Passage =
  | { readonly let: "in"; readonly cookie: string | undefined; readonly reader?: string }
  | { readonly let: "out"; readonly why: Exclude<Closed, "doorcode"> }

const SWEPT_AT_ONCE = 1_000

const AS_BEFORE: Passage = { let: "in", cookie: undefined }

const out = (why: Exclude<Closed, "doorcode">): Passage => ({ let: "out", why })

const tooOld = () => new InvalidToken({ message: "This way in has been used or is too old. Go back and sign in again." })

const linkRefused = () => new NotFound({ message: "This link does not open anything. It may have been withdrawn, or its time is up." })

const MemberEntry = Schema.Struct({ project: ProjectId, user: UserId, epoch: Schema.Int, since: Schema.Number })

const ReaderEntry = Schema.Struct({ project: ProjectId, user: UserId, since: Schema.Number })

const FrameEntry = Schema.Struct({ frame: Schema.String, token: Schema.String })

/** 26 symbols of base32hex: 130 bits, and a valid DNS label. */
const frameNameFrom = (random: Uint8Array): string =>
  Array.from(random.subarray(0, 26), (byte) => (byte & 31).toString(32)).join("")

export class Gates extends Context.Service<Gates>()("svc/domain/hosting/Gates", {
  make: Effect.gen(function*() {
    const hosting = yield* HostingStore
    const passes = yield* PassStore
    const projects = yield* ProjectStore
    const accounts = yield* AccountStore
    const tellable = yield* makeTellable
    const tokens = yield* Tokens
    const limits = yield* RateLimits
    const mailer = yield* Mailer
    const keys = yield* EntryKeys
    const proofs = yield* ShellProofs
    const policies = yield* Policies
    const { projectUrl } = yield* Addresses
    const { atomically } = yield* Atomically
    const tries = yield* makeQueues

    /** The frame's cookie is derived from the pass, so that all shells of one browser use the same one. */
    const frameToken = (cookie: string): string => tokens.hash(`frame:${cookie}`)

    const give = Effect.fn("Gates.give")(function*(site: Site, by: NewPass["by"], now: DateTime.Utc) {
      const { hash, raw } = yield* tokens.mint()
      yield* passes.add({
        id: PassId.make(yield* tokens.uuid),
        projectId: site.projectId,
        hash,
        accessEpoch: site.accessEpoch,
        frameName: frameNameFrom(yield* tokens.random(26)),
        frameHash: tokens.hash(frameToken(raw)),
        givenAt: now,
        by
      })
      return { let: "in", cookie: raw } as const
    })

    /**
     * Tries are counted before comparing. A right one is given back: a whole lecture hall may share one address. One at a time for
     * each project and address, or right ones that are not given back yet would count against each other.
     */
    const compare = Effect.fnUntraced(function*({ projectId }: Site, typed: string, from: string) {
      yield* limits.consume(LIMITS.doorcodeByAddress, from)
      yield* limits.consume(LIMITS.doorcodeByProject, projectId)
      const doorcode = yield* passes.doorcode(projectId)
      if (!Option.exists(doorcode, (code) => isMeant(code, typed))) return yield* wrongDoorcode()
      yield* limits.giveBack(LIMITS.doorcodeByAddress, from)
      yield* limits.giveBack(LIMITS.doorcodeByProject, projectId)
    })

    /** Handles the form of a doorcode page; `address`: the client's, as rate limits count it. */
    const doorcode = Effect.fn("Gates.doorcode")(function*(slug: string, typed: string, address: string) {
      const now = yield* DateTime.now
      const site = yield* hosting.site(slug)
      if (site === undefined) return out("unknown")
      const verdict = door({ site, pass: null }, policies.trial, now)
      if (verdict === "open") return AS_BEFORE
      if (verdict !== "doorcode") return out(verdict)
      const from = `${site.projectId} ${address}`
      yield* tries(from)(compare(site, typed, from))
      yield* limits.consume(LIMITS.passesByAddress, from)
      return yield* give(site, { via: "doorcode" }, now)
    })

    const tellOf = Effect.fnUntraced(function*({ label, ownerId }: OpenedLink, { projectId, slug, title, workspaceId }: Site) {
      // In one order: limits may be rows, which stay locked until all of this is committed.
      for (const { email, id, name } of yield* tellable({ ownerId, slug, workspaceId })) {
        yield* limits.consume(LIMITS.firstOpens, id).pipe(
          Effect.andThen(mailer.enqueue(Mail.cases.ShareLinkOpened.make({ to: email, name, label, project: title, projectId, slug }))),
          Effect.catchTag("rate_limited", () => Effect.void)
        )
      }
    })

    /**
     * Every token that does not open is refused with the same words. `address`: the client's, as rate limits count it; an open beyond
     * the limit is not counted. `held`: the hash of the request's pass. A browser that opens the same link again keeps its pass, and with
     * it the frame's host and what the page stored there. Another recipient's link gives a pass of its own: its views count separately,
     * and it outlives the revocation of the first link.
     */
    const link = Effect.fn("Gates.link")(
      function*(slug: string, token: string, address: string, held: string | null = null) {
        const now = yield* DateTime.now
        const [visit] = yield* hosting.visits([{ slug, pass: held }])
        if (visit === undefined) return out("unknown")
        const { site } = visit
        const verdict = door({ site, pass: null }, policies.trial, now)
        if (isPutAway(verdict)) return out(verdict)
        const hash = tokens.hash(token)
        if (visit.pass?.via === "member" && holds(visit, now)) {
          return (yield* passes.linkOpens(site.projectId, hash, now)) ? AS_BEFORE : yield* linkRefused()
        }
        const opened = yield* passes.openLink(site.projectId, hash, now).pipe(orFail(linkRefused))
        if (opened.tells) yield* tellOf(opened, site)
        if (visit.pass?.link?.id === opened.id && holds(visit, now)) return AS_BEFORE
        yield* limits.consume(LIMITS.passesByAddress, `${site.projectId} ${address}`)
        return yield* give(site, { via: "link", shareLinkId: opened.id }, now)
      },
      atomically
    )

    /** Whether the project is public, so that there is no gate to go through. */
    const needsNone = Effect.fn("Gates.needsNone")((slug: string) => Effect.map(hosting.site(slug), (site) => site?.visibility === "public"))

    /** Where a member's browser continues: the project's own host, with a key that is valid for a minute. */
    const memberEntry = Effect.fn("Gates.memberEntry")(function*({ since, user }: SignedIn, slug: string) {
      const reach = yield* projects.reach(slug, user.id).pipe(orFail(AccessRules.noSuchProject))
      if (!AccessRules.maySee(reach)) return yield* notWithin()
      const key = yield* keys.mint("member-entry", {
        project: reach.project.id, user: user.id, epoch: user.sessionEpoch, since: DateTime.toEpochMillis(since)
      })
      return { origin: projectUrl(slug), key }
    })

    const member = Effect.fn("Gates.member")(function*(slug: string, key: string) {
      const now = yield* DateTime.now
      const site = yield* hosting.site(slug)
      if (site === undefined) return out("unknown")
      const verdict = door({ site, pass: null }, policies.trial, now)
      if (isPutAway(verdict)) return out(verdict)
      const entry = Option.getOrUndefined(yield* keys.spend("member-entry", key, MemberEntry))
      const user = entry && Option.getOrUndefined(yield* accounts.find(entry.user))
      if (entry === undefined || user === undefined || entry.project !== site.projectId || user.sessionEpoch !== entry.epoch) {
        return yield* tooOld()
      }
      const since = DateTime.makeUnsafe(entry.since)
      const passage = { ...(yield* give(site, { via: "member", userId: user.id, sessionEpoch: entry.epoch, signedInAt: since }, now)), reader: yield* proofs.nameReader(site.projectId, entry) }
      // The pass is written before the mark is read; signing out writes the mark before it ends passes. So one of the two sees the other.
      if (!(yield* passes.isSpent(tokens.hash(endOf(user.id, since))))) return passage
      yield* passes.endSession(user.id, since)
      return yield* tooOld()
    })

    /** Where a reader who comes to comment goes on: with a key only where they have to be named. None where there is no such project. */
    const readerEntry = Effect.fn("Gates.readerEntry")(function*(signedIn: SignedIn, slug: string) {
      const site = yield* hosting.site(slug)
      if (site === undefined) return Option.none()
      const key = mustProve(site) ? yield* keys.mint("reader-entry", { project: site.projectId, ...readerOf(signedIn) }) : undefined
      return Option.some({ origin: projectUrl(slug), key })
    })

    /** The cookie that names the reader at this project's host; none for a key that is spent, expired or another project's. */
    const reader = Effect.fn("Gates.reader")(function*(slug: string, key: string) {
      const site = yield* hosting.site(slug)
      const entry = Option.getOrUndefined(yield* keys.spend("reader-entry", key, ReaderEntry))
      return entry === undefined || entry.project !== site?.projectId ? undefined : yield* proofs.nameReader(site.projectId, entry)
    })

    /**
     * Ends the passes and comment tokens that one browser's session led to, including those of keys still in transit. Other sessions
     * of the person stay. Not one transaction, since `member` must see the mark before passes end; a caller who leaves in between
     * stops neither.
     */
    const endPasses = Effect.fn("Gates.endPasses")(
      function*({ since, user }: SignedIn) {
        yield* passes.spend(tokens.hash(endOf(user.id, since)), yield* DateTime.now)
        yield* passes.endSession(user.id, since)
      },
      Effect.uninterruptible
    )

    /**
     * Ends the session itself, too, and last: one that is cut off can be repeated, but not by a session that is over. Remembered for as
     * long as any cookie of it lasts, which may have been kept.
     */
    const signOut = Effect.fn("Gates.signOut")(
      function*(session: Session) {
        yield* endPasses(session)
        yield* passes.spend(tokens.hash(session.name), DateTime.add(yield* DateTime.now, LIFETIME))
      },
      Effect.uninterruptible
    )

    /** The key of its frame, for a shell that was let in with this pass. */
    const frameEntry = (pass: Pick<Pass, "frameName">, cookie: string) =>
      keys.mint("frame-entry", { frame: pass.frameName, token: frameToken(cookie) })

    /** The cookie to set on the frame's host; none for a key that is spent, expired or meant for another host. */
    const frame = Effect.fn("Gates.frame")(function*(name: string, key: string) {
      const entry = yield* keys.spend("frame-entry", key, FrameEntry)
      return Option.map(Option.filter(entry, ({ frame }) => frame === name), ({ token }) => token)
    })

    /** Deletes passes and spent keys too old to open anything; answers how many. */
    const sweep = Effect.fn("Gates.sweep")(function*() {
      const now = yield* DateTime.now
      const before = { passes: DateTime.subtract(now, PASS_LASTS), keys: DateTime.subtract(now, KEYS_KEPT) }
      return yield* inBatches(SWEPT_AT_ONCE, passes.sweep(before, SWEPT_AT_ONCE))
    })

    return { doorcode, link, needsNone, memberEntry, member, readerEntry, reader, endPasses, signOut, frameEntry, frame, sweep }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
