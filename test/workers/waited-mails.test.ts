/** Mails that waited for a mail server: what they tell is still so, or they are not sent. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Administering } from "../../src/domain/administration/administering.ts"
import { PlatformAdmins } from "../../src/domain/administration/platform-admins.ts"
import { TrialMails } from "../../src/domain/billing/trial-mails.ts"
import { Erasure } from "../../src/domain/erasure/erasure.ts"
import { ExportBuilds } from "../../src/domain/exports/builds.ts"
import { Exports } from "../../src/domain/exports/exports.ts"
import { MAX_TRIES } from "../../src/domain/exports/rules.ts"
import { Gates } from "../../src/domain/hosting/gates.ts"
import { Projects } from "../../src/domain/projects/projects.ts"
import { ShareLinks } from "../../src/domain/share-links/share-links.ts"
import { WorkspaceStore } from "../../src/domain/workspaces/store.ts"
import { mailbox } from "../../src/services/database/mailbox.ts"
import { takeTurn } from "../../src/workers/deliver-mail.ts"
import { houseWith } from "../support/house.ts"
import { PASSWORD } from "../support/service.ts"
import { at, DAY, publish, signedUp } from "../support/moments.ts"

const BEGIN = Date.UTC(2027, 0, 1, 9, 30)
const SOON = BEGIN + 5 * DAY
const ROOTS = ["root@example.com", "other-root@example.com", "third-root@example.com"] as const

/** `signedUp` reads the whole outbox, and what was sent is not there to be read. */
const emptied = SqlClient.SqlClient.use((sql) => sql`DELETE FROM mails`)

const signsUp = (email: string) => at(BEGIN, Effect.tap(Effect.andThen(emptied, signedUp(email)), emptied))

const admitted = (email: typeof ROOTS[number]) => Effect.flatMap(signsUp(email), ({ user }) => PlatformAdmins.use(({ admit }) => admit(user)))

let names = 0

const begun = Effect.gen(function*() {
  const slug = `waits-${++names}`
  const made = yield* signsUp(`${slug}@example.com`)
  yield* at(BEGIN, publish(made.user, slug))
  return { ...made, slug }
})

type Begun = Effect.Success<typeof begun>

/** The words that arrive once the server is back. */
const arrived = Effect.fnUntraced(function*({ user }: Pick<Begun, "user">) {
  yield* at(SOON + 1, Effect.repeat(takeTurn(), { while: (some) => some }))
  return (yield* mailbox.pipe(Effect.flatMap(({ list }) => list))).filter(({ to }) => to === user.email).map(({ text }) => text).join("\n")
})

layer(houseWith({ SVC_TRIAL: "enforced", SVC_PLATFORM_ADMINS: ROOTS.join() }))("a mail that waited", (it) => {
  it.effect("tells nobody of an end that was moved, nor of one in a workspace that they do not look after any more", () =>
    Effect.gen(function*() {
      const operator = yield* admitted(ROOTS[0])
      const [workspaces, administering] = [yield* WorkspaceStore, yield* Administering]
      const told = Effect.fnUntraced(function*(happened: (one: Begun) => Effect.Effect<unknown, unknown>) {
        const one = yield* begun
        yield* at(SOON, TrialMails.use(({ sendAll }) => sendAll()))
        yield* Effect.orDie(at(SOON, happened(one)))
        return yield* arrived(one)
      })
      assert.include(yield* told(() => Effect.void), "ends on 8 January 2027")
      assert.strictEqual(yield* told(({ workspace }) => administering.extendTrial(operator, workspace, DateTime.makeUnsafe(BEGIN + 20 * DAY))), "")
      assert.strictEqual(yield* told(({ user, workspace }) => workspaces.setRole(workspace, user.id, "member")), "")
    }))

  it.effect("tells everybody else in a workspace that it was deleted, unless it was restored by then", () =>
    Effect.gen(function*() {
      const [operator, administering] = [yield* admitted(ROOTS[2]), yield* Administering]
      const told = Effect.fnUntraced(function*(happened: (one: Begun) => Effect.Effect<unknown, unknown>) {
        const [one, other] = [yield* begun, yield* begun]
        const { user, workspace } = one
        yield* at(BEGIN, WorkspaceStore.use((store) => store.join(other.user.id, { workspaceId: workspace, role: "admin", isOwner: true }, DateTime.makeUnsafe(BEGIN))))
        yield* at(SOON, Erasure.use((erasure) => erasure.deleteWorkspace(user, undefined, { workspace, password: PASSWORD })))
        yield* Effect.orDie(at(SOON, happened(one)))
        return [yield* arrived(one), yield* arrived(other)] as const
      })
      const [own, others] = yield* told(() => Effect.void)
      assert.strictEqual(own, "")
      assert.match(others, /deleted waits-\d+’s workspace\. Its links are down, .* it will be erased on 5 February 2027/u)
      const restored = ({ workspace }: Begun) => administering.restoreDeletion(operator, { type: "workspace", id: workspace })
      assert.deepStrictEqual(yield* told(restored), ["", ""])
    }))

  it.effect("brings an export only to whoever may open it still, and tells only whoever could take another that it failed", () =>
    Effect.gen(function*() {
      const [sql, workspaces] = [yield* SqlClient.SqlClient, yield* WorkspaceStore]
      const told = Effect.fnUntraced(function*(happened: (one: Begun) => Effect.Effect<unknown, unknown>, tries = 0) {
        const one = yield* begun
        const { id } = yield* at(SOON, Exports.use((exports) => exports.request(one.user, one.workspace, PASSWORD)))
        yield* sql`UPDATE exports SET tries = ${tries} WHERE id = ${id}`
        yield* at(SOON, ExportBuilds.use((builds) => builds.attempt(id)))
        yield* Effect.orDie(at(SOON, happened(one)))
        return yield* arrived(one)
      })
      const loses = ({ user, workspace }: Begun) => workspaces.setRole(workspace, user.id, "member")
      assert.include(yield* told(() => Effect.void), "/download?token=")
      assert.strictEqual(yield* told(loses), "")
      assert.include(yield* told(() => Effect.void, MAX_TRIES), "was given up")
      assert.strictEqual(yield* told(loses, MAX_TRIES), "")
    }))

  it.effect("tells of a project by the name it has now, and only who still looks after it, and only while it is taken down", () =>
    Effect.gen(function*() {
      const operator = yield* admitted(ROOTS[1])
      const [projects, administering] = [yield* Projects, yield* Administering]
      const takenDown = ({ slug }: Begun) => administering.takeDown(operator, slug)
      const opened = ({ slug, user }: Begun) =>
        ShareLinks.use((links) => links.create(user, slug, { label: "Acme", notifyOnFirstOpen: true })).pipe(
          Effect.flatMap(({ token }) => Gates.use((gates) => gates.link(slug, token, "a"))))
      const told = Effect.fnUntraced(function*(told: (one: Begun) => Effect.Effect<unknown, unknown, ShareLinks | Gates>, happened: (one: Begun) => Effect.Effect<unknown, unknown>) {
        const one = yield* begun
        yield* Effect.orDie(at(SOON, told(one)))
        yield* Effect.orDie(at(SOON, happened(one)))
        return yield* arrived(one)
      })
      const nothing = () => Effect.void
      const renamed = ({ slug, user }: Begun) => projects.change(user, slug, { slug: `${slug}-elsewhere` })
      const removed = ({ slug, user }: Begun) => projects.remove(user, slug)
      const putBack = ({ slug }: Begun) => administering.putBack(operator, slug)
      assert.include(yield* told(opened, nothing), "Acme")
      assert.include(yield* told(opened, renamed), "-elsewhere")
      assert.strictEqual(yield* told(opened, removed), "")
      assert.include(yield* told(takenDown, nothing), "took down the project")
      assert.strictEqual(yield* told(takenDown, putBack), "")
    }))
})
