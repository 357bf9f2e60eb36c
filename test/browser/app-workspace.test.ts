/** The workspace's screens in a browser: people, plan, log, export and deletion, each read back over HTTP; both themes pass axe, and only paying requests another host. */
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { SqlClient } from "effect/sql"
import { afterAll } from "vitest"
import { dropped, signedInPage } from "../support/app.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { comesTo, comesTrue, executable, hasChromium } from "../support/browser.ts"
import { invited } from "../support/invited.ts"
import { mailSaying, mailTo, tokenIn } from "../support/mail.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { openStripe, signed } from "../support/stripe.ts"
import { ask, homeless, joins, member } from "../support/team.ts"

const stripe = await openStripe()
afterAll(() => stripe.stop())

const paying = /^https:\/\/(?:checkout|portal)\.stripe\.example\//

/** First light on a desktop, then dark on a phone, and back. */
const cleanIn = async (page: Page) => {
  assert.deepStrictEqual(await axe(page), [])
  assert.deepStrictEqual(await axeAgain(page, "dark", 390), [])
  assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 390)
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 844 })
}

/** The address that says nothing more of a payment. */
const unmarked = (url: URL) => url.pathname === "/workspace/billing" && !url.searchParams.has("checkout")

const read = (account: Account, path: string) => Effect.map(ask(account, "GET", `${path}?workspace=${account.workspaceId}`), ({ json }) => json)

const told = (from: number) =>
  Service.use((service) => Effect.forEach(stripe.events.slice(from), (event) => service.ask("/v1/billing/webhook", signed(event)), { discard: true }))

const statement = (text: string, ...values: ReadonlyArray<unknown>) =>
  Service.use(({ inside }) => inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql.unsafe(text, values)))))

describe.skipIf(!hasChromium)(`the workspace in a browser (${executable})`, () => {
  layer(serviceWith(stripe.environment), { excludeTestServices: true })((it) => {
    it.effect("invites, names roles, removes; is renamed; and another one is made and switched to", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, errors, open, page, settled, strangers } = yield* signedInPage()
        const list = (name: string) => page.getByRole("list", { name, exact: true })
        const menu = async (button: string, item: string) => {
          await page.getByRole("button", { name: button }).click()
          await page.getByRole("menuitem", { name: item }).click()
        }
        yield* Effect.promise(async () => {
          await open("/workspace/members")
          await page.getByText("4 of 5 seats free").waitFor()
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          await page.getByLabel("Email").fill(account.email)
          await page.getByRole("button", { name: "Send invitation" }).click()
          await page.getByText("belongs to a member already").waitFor()
          assert.deepStrictEqual(await axe(page), [])
          await page.getByLabel("Email").fill("guest@example.com")
          await page.getByRole("button", { name: "Send invitation" }).click()
          await list("Invitations").getByText("guest@example.com").waitFor()
          await page.getByText("3 of 5 seats free, 1 invitation counted").waitFor()
        })
        const { links } = (yield* mailTo(service, "guest@example.com"))[0]!
        const accepted = yield* service.ask("/v1/auth/invites/accept", { json: { token: tokenIn(links), name: "Grace Guest" } })
        assert.strictEqual(accepted.status, 200, accepted.text)
        yield* invited(account, "late@example.com", { daysAgo: 8 })
        yield* Effect.promise(async () => {
          // The page stayed open as it was accepted: whoever takes it back by then reads so, and sees who has come.
          await menu("More for guest@example.com", "Take back")
          await page.getByText("It may have been accepted, or taken back.").first().waitFor()
          await list("Members").getByText("Grace Guest").waitFor()
          await page.reload()
          await list("Members").getByText("Grace Guest").waitFor()
          await page.getByText("You are the only admin").waitFor()
          await list("Invitations").getByText("Expired").waitFor()
          await cleanIn(page)
          await page.getByRole("button", { name: "Role of Grace Guest: Member" }).click()
          await page.getByRole("menuitemradio", { name: "Admin" }).click()
          await page.getByText("Grace Guest is an admin now.").first().waitFor()
        })
        const grace = accepted.json.id as string
        const roles = () => Effect.map(read(account, "/v1/workspace/members"), (all) => (all as ReadonlyArray<{ user_id: string; role: string }>).map(({ role, user_id }) => [user_id, role]))
        assert.deepStrictEqual(yield* roles(), [[account.id, "admin"], [grace, "admin"]])
        yield* Effect.promise(async () => {
          await menu("More for late@example.com", "Send again")
          await list("Invitations").getByText("Expires").waitFor()
        })
        assert.lengthOf(yield* mailTo(service, "late@example.com"), 1)
        yield* Effect.promise(async () => {
          await menu("More for late@example.com", "Take back")
          await page.getByText("Nobody is invited right now").waitFor()
          await menu("More for Grace Guest", "Remove")
          await page.getByText("their private folders become the team’s").waitFor()
          await page.getByRole("button", { name: "Remove", exact: true }).click()
          await page.getByText("Grace Guest is no longer in this workspace.").first().waitFor()
          await list("Members").getByText("Grace Guest").waitFor({ state: "detached" })
        })
        assert.deepStrictEqual(yield* roles(), [[account.id, "admin"]])

        for (const name of ["a", "b", "c", "d"]) yield* invited(account, `${name}@example.com`)
        yield* Effect.promise(async () => {
          await page.reload()
          await page.getByText("All 5 seats are taken, 4 invitations counted").waitFor()
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          await page.getByRole("dialog").getByRole("link", { name: "See plans" }).click()
          await page.getByRole("heading", { name: "What each plan gives" }).waitFor()

          await page.getByRole("link", { name: "General" }).click()
          await page.getByLabel("Name", { exact: true }).fill("Northwind")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { level: 1, name: "Northwind" }).waitFor()
          await page.getByRole("radio", { name: "Anyone who can open it" }).click()
          await page.getByLabel("Add people by email").fill("client@example.com")
          await page.getByRole("button", { name: "Add", exact: true }).click()
          await list("Listed people").getByText("client@example.com").waitFor()
          await cleanIn(page)
          await settled()
        })
        assert.strictEqual((yield* read(account, "/v1/workspace")).name, "Northwind")
        assert.deepInclude(yield* read(account, "/v1/workspace/comment-allowlist"), { comment_access: "anyone", emails: ["client@example.com"] })

        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Workspace: Northwind" }).first().click()
          await page.getByRole("menuitem", { name: "New workspace" }).click()
          await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Acme")
          await page.getByRole("button", { name: "Create workspace" }).click()
          await page.waitForURL("**/workspace/billing?*")
          await page.getByText("No plan yet", { exact: true }).waitFor()
          await page.getByText("Acme has no plan yet").waitFor()
          await page.getByRole("button", { name: "Choose Starter" }).waitFor()
          assert.strictEqual(await page.getByText("The last one", { exact: true }).count(), 0)
          assert.notInclude(page.url(), account.workspaceId)
          await page.getByRole("button", { name: "Workspace: Acme" }).first().click()
          await page.getByRole("menuitemradio", { name: "Northwind" }).click()
          await page.waitForURL((url) => url.searchParams.get("workspace") === account.workspaceId && url.pathname === "/workspace/billing")
          await page.getByText("The trial ends on").waitFor()
          await open("/workspace/members?workspace=018f4a2e-0000-7000-8000-00000000abcd")
          await page.getByText("There is no such page").waitFor()
        })
        assert.deepStrictEqual([errors.filter((error) => !/422|404/.test(error)), strangers], [[], []])
      }))

    it.effect("is paid for at the payment service, and says how it stands until it is down", () =>
      Effect.gen(function*() {
        const { account, errors, open, page, strangers } = yield* signedInPage(undefined, { trialDays: 2 })
        const { workspaceId } = account
        yield* Effect.promise(async () => {
          await page.route(paying, (route) => route.fulfill({ contentType: "text/html", body: "<title>Pay</title>" }))
          await open("/workspace/billing")
          await page.getByText("The trial of Home ends in 2 days").waitFor()
          await cleanIn(page)
          await page.getByRole("button", { name: "Choose Agency" }).click()
          await page.waitForURL(paying)
        })
        const from = stripe.events.length
        const session = [...stripe.sessions.values()].at(-1)!
        assert.strictEqual(session.url, page.url())
        yield* Effect.promise(async () => {
          await page.goto(session.left!)
          await page.getByText("Nothing was bought, and nothing changed.").waitFor()
          await page.waitForURL(unmarked)
          await page.getByText("See the card and the invoices").waitFor()
          await page.goto(session.paid!)
          await page.getByText("The payment is being confirmed").waitFor()
        })
        assert.deepInclude(yield* read(account, "/v1/billing/subscription"), { plan: "studio", state: "trialing" })
        const subscription = stripe.pay(session.url)
        yield* told(from)
        yield* Effect.promise(async () => {
          await page.getByText("This workspace is on Agency.").waitFor()
          await page.getByText("It renews on").waitFor()
          await page.waitForURL(unmarked)
          assert.deepStrictEqual(await axe(page), [])
          await page.getByRole("button", { name: "Put away" }).click()
          await page.getByText("This workspace is on Agency.").waitFor({ state: "detached" })
          await comesTrue(() => page.evaluate(() => document.activeElement?.closest("main") != null))
          await page.getByRole("button", { name: "Open the billing portal" }).click()
          await page.waitForURL(paying)
        })
        assert.deepInclude(yield* read(account, "/v1/billing/subscription"), { plan: "agency", state: "active" })
        assert.include(stripe.portals.at(-1)!, `/workspace/billing?workspace=${workspaceId}`)

        const ending = stripe.events.length
        stripe.cancelAtPeriodEnd(subscription)
        yield* told(ending)
        yield* Effect.promise(async () => {
          await page.goto(stripe.portals.at(-1)!)
          await page.getByText("publishing pauses, and links go down 30 days later. Resume it in the billing portal").waitFor()
        })
        yield* statement("UPDATE workspaces SET trial_ends_at = now() + interval '90 days' WHERE id = $1", workspaceId)
        yield* Effect.promise(async () => {
          await page.reload()
          await page.getByText("and the trial goes on until").waitFor()
        })
        yield* statement("UPDATE workspaces SET subscription_status = 'past_due', trial_ends_at = now() + interval '1 day' WHERE id = $1", workspaceId)
        yield* Effect.promise(async () => {
          // Opened once more, long after the payment.
          await page.goto(session.paid!)
          await page.getByText("unless you resume it there").waitFor()
          await page.waitForURL(unmarked)
          assert.strictEqual(await page.getByText("Thank you").count(), 0)
          // The banner's step leads to this page, so here it has none.
          await page.getByText(/The last payment for .* did not go through/).waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "Update the card" }).count(), 0)
          await open("/")
          await page.getByRole("link", { name: "Update the card" }).click()
          await page.getByRole("button", { name: "Open the billing portal" }).waitFor()
          await page.getByRole("link", { name: "General" }).click()
          await page.getByRole("button", { name: "Delete workspace" }).click()
          await page.getByText("Its subscription ends with the period that is paid").waitFor()
          await page.getByRole("button", { name: "Cancel" }).click()
        })
        // It ends while the library is open: what is refused then, the screen says too.
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
        })
        yield* statement("UPDATE workspaces SET subscription_status = 'active', subscription_ends_at = now() - interval '1 day', trial_ends_at = now() - interval '50 days' WHERE id = $1", workspaceId)
        yield* Effect.promise(async () => {
          await dropped(page, [["late.md", "text/markdown", "# Late"]])
          await page.getByText("late.md could not be published").waitFor()
          await page.getByText("Its links go down on").waitFor()
        })
        for (const [days, words] of [[5, "Its links go down on"], [40, "are down since"]] as const) {
          yield* statement("UPDATE workspaces SET subscription_status = 'active', subscription_ends_at = now() - make_interval(days => $2), trial_ends_at = now() - interval '50 days' WHERE id = $1", workspaceId, days)
          yield* Effect.promise(async () => {
            await open("/")
            await page.getByText(words).waitFor()
            await page.getByText("Publishing is paused", { exact: true }).waitFor()
            await page.getByRole("link", { name: "Choose a plan" }).click()
            await page.getByRole("button", { name: "Choose Agency" }).waitFor()
          })
        }
        const stands = yield* read(account, "/v1/billing/subscription")
        assert.strictEqual(stands.state, "down")
        yield* Effect.promise(async () => {
          await page.getByText("Nothing is lost; a plan brings them back at once.").waitFor()
          await cleanIn(page)
          // As on a service that ends trials and sells nothing.
          await page.route("**/v1/billing/subscription?*", (route) => route.fulfill({ json: { ...stands, can_checkout: false, can_portal: false } }))
          await page.reload()
          await page.getByText(/Nothing is lost\.$/).waitFor()
          await page.getByText("Ask whoever runs this service.", { exact: true }).waitFor()
          assert.strictEqual(await page.getByText(/choose a plan|brings/i).count(), 0)
          await open("/")
          await page.getByText("This workspace has no plan right now. Ask whoever runs this service.").waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "See plans" }).count(), 0)
        })
        assert.deepStrictEqual([errors.filter((error) => !/402/.test(error)), strangers.filter((url) => !paying.test(url))], [[], []])
      }))

    it.effect("offers no plan while the debit for one is on its way, and says so", () =>
      Effect.gen(function*() {
        const { account, errors, open, page, strangers } = yield* signedInPage(undefined, { trialDays: 2 })
        const choices = page.getByRole("button", { name: /^Choose / })
        const from = stripe.events.length
        const { json } = yield* ask(account, "POST", "/v1/billing/checkout", { workspace: account.workspaceId, plan: "agency", interval: "month" })
        const one = stripe.debit(json.url)
        yield* Effect.promise(async () => {
          await open("/workspace/billing")
          await choices.first().waitFor()
        })
        yield* told(from)
        yield* Effect.promise(async () => {
          await page.goto([...stripe.sessions.values()].at(-1)!.paid!)
          await page.getByText("Payment on its way", { exact: true }).waitFor()
          await page.getByText("A payment is on its way.", { exact: true }).waitFor()
          await page.waitForURL(unmarked)
          assert.deepStrictEqual([await choices.count(), await page.getByText("being confirmed").count()], [0, 0])
          await cleanIn(page)
        })
        stripe.arrive(one)
        yield* told(from)
        yield* Effect.promise(async () => {
          await comesTrue(async () => {
            await page.reload()
            return await page.getByText("Paid", { exact: true }).count() === 1
          })
        })
        assert.deepStrictEqual([errors, strangers], [[], []])
      }))

    it.effect("is exported through to the mailed download, tells who did what, and is deleted", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { account, errors, open, page, strangers } = yield* signedInPage()
        const other = yield* member(account, "member")
        const { bearer, workspaceId } = account
        yield* service.ask("/v1/projects/gone-soon", { method: "PUT", body: "<title>Gone soon</title>", headers: { ...bearer, "content-type": "text/html" } })
        yield* ask(account, "PATCH", "/v1/projects/gone-soon", { visibility: "private" })
        yield* ask(account, "PATCH", `/v1/workspace/members/${other.id}?workspace=${workspaceId}`, { role: "admin" })
        yield* statement("UPDATE users SET name = 'Ben Beside' WHERE id = $1", other.id)
        const password = page.getByLabel("Your password")
        yield* Effect.promise(async () => {
          await open("/workspace/export")
          await page.getByRole("button", { name: "Take an export" }).click()
          await password.fill("not it")
          await page.getByRole("button", { name: "Take the export" }).click()
          await page.getByText("The password is wrong.").waitFor()
          assert.deepStrictEqual(await axe(page), [])
          await password.fill(PASSWORD)
          await page.getByRole("button", { name: "Take the export" }).click()
          await page.getByRole("main").getByText("The export is ready").waitFor()
          await page.getByText("The next one from tomorrow (UTC)").waitFor()
          await cleanIn(page)
        })
        const link = (yield* mailSaying(service, account.email, "Your export is ready")).links.find((one) => one.includes("/v1/exports/"))!
        const archive = yield* service.ask(link.slice(link.indexOf("/v1/")))
        assert.deepStrictEqual([archive.status, archive.headers["content-type"]], [200, "application/zip"])

        yield* Effect.promise(async () => {
          await open("/workspace/audit")
          const log = page.getByRole("region", { name: "Today" })
          for (const words of ["Ada Example downloaded an export", "Ada Example asked for an export", "Ada Example made Ben Beside an admin", "Ada Example made Gone soon private"]) {
            await log.getByRole("listitem").filter({ hasText: words }).waitFor()
          }
          await cleanIn(page)

          await page.getByRole("link", { name: "General" }).click()
          await page.getByRole("button", { name: "Delete workspace" }).click()
          const dialog = page.getByRole("dialog")
          await dialog.getByRole("status").getByText("1 live link stops working at once").waitFor()
          await dialog.getByText("1 other member loses it too.").waitFor()
          assert.strictEqual(await dialog.getByText("subscription").count(), 0)
          await password.fill("not it")
          await dialog.getByRole("button", { name: "Delete workspace" }).click()
          await page.getByText("The password is wrong.").waitFor()
          assert.deepStrictEqual(await axe(page), [])
        })
        const published = Effect.map(service.ask("/", { host: "gone-soon.svc.localhost" }), ({ status }) => status)
        assert.strictEqual((yield* read(account, "/v1/workspace")).name, "Home")
        assert.notStrictEqual(yield* published, 410)
        yield* Effect.promise(async () => {
          await password.fill(PASSWORD)
          await page.getByRole("dialog").getByRole("button", { name: "Delete workspace" }).click()
          await page.getByText("Home is closed and will be erased on").waitFor()
          await page.getByText("You are in no workspace").waitFor()
          await cleanIn(page)
        })
        assert.strictEqual(yield* published, 410)
        assert.deepStrictEqual((yield* ask(account, "GET", "/v1/me")).json.workspaces, [])
        // The browser logs the two wrong passwords by itself.
        assert.deepStrictEqual([errors.filter((error) => !error.includes("403")), strangers], [[], []])
      }))

    it.effect("shows a member what is theirs to see and do, and lets them leave", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const host = yield* service.account()
        const guest = yield* member(host, "member")
        yield* service.ask("/v1/projects/theirs", { method: "PUT", body: "# Theirs", headers: { ...host.bearer, "content-type": "text/markdown" } })
        yield* ask(host, "PATCH", "/v1/projects/theirs", { comments_enabled: true })
        yield* ask(host, "POST", "/v1/projects/theirs/comments", { body: "A thought" })
        yield* ask(host, "PATCH", "/v1/projects/theirs", { comments_enabled: false })
        yield* ask(host, "POST", "/v1/projects/theirs/share-links", { label: "Dana", notify_on_first_open: true })
        yield* ask(host, "POST", "/v1/folders", { name: "Team" })
        yield* ask(guest, "POST", "/v1/folders", { name: "Guest’s own", sharing: "private", workspace: host.workspaceId })
        yield* statement("UPDATE workspaces SET trial_ends_at = now() + interval '2 days' WHERE id = $1", guest.workspaceId)
        const { errors, open, page, settled } = yield* signedInPage(guest)
        const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Theirs" }) })
        let changes = 0
        page.on("request", (request) => void (request.method() === "PATCH" && changes++))
        yield* Effect.promise(async () => {
          for (const [path, words] of [["", "Its admins name it."], ["/members", "Its admins invite people."], ["/billing", "is for its admins."], ["/audit", "It is for the admins of this workspace."], ["/export", "It is for the admins of this workspace."]] as const) {
            await open(`/workspace${path}?workspace=${host.workspaceId}`)
            await page.getByText(`${words} Ask Ada Example.`).waitFor()
          }
          // A folder's address names its workspace: it is the same for whoever has chosen another, and on the way back.
          await open("/")
          await card.waitFor()
          assert.isNull(await card.getAttribute("draggable"))
          await page.getByRole("list", { name: "Folders" }).getByRole("link", { name: "Team" }).click()
          await page.getByRole("heading", { name: "Team" }).waitFor()
          assert.strictEqual(new URL(page.url()).searchParams.get("workspace"), host.workspaceId)
          await page.getByRole("button", { name: "Workspace: Home" }).first().click()
          // Until it is known what to say of the other workspace, the address still names the folder: it is not looked for there.
          await page.route("**/v1/billing**", async (route) => {
            await pause(300)
            await route.continue()
          })
          await page.getByRole("menuitemradio", { checked: false }).click()
          await page.waitForURL((url) => url.searchParams.get("workspace") === guest.workspaceId)
          await page.getByText("Drop a document here").waitFor()
          await page.goBack()
          await page.getByRole("heading", { name: "Team" }).waitFor()

          await open("/projects/theirs/share")
          await page.getByText("whoever looks after it gets a mail").waitFor()
          await open("/projects/theirs/comments")
          await page.getByRole("button", { name: "Resolve" }).waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Reply" }).count(), 0)
          assert.strictEqual(await page.getByRole("link", { name: "Open", exact: true }).count(), 1)
        })
        const gone = yield* service.account()
        yield* statement("UPDATE projects SET expires_at = now() - interval '1 day', owner_id = $1 WHERE slug = 'theirs'", gone.id)
        yield* ask(host, "PATCH", `/v1/workspace/members/${guest.id}?workspace=${host.workspaceId}`, { role: "admin" })
        yield* Effect.promise(async () => {
          await open("/projects/theirs/share")
          await page.getByText("It went down on").waitFor({ state: "attached" })
          assert.strictEqual(await page.getByRole("link", { name: "Open", exact: true, includeHidden: true }).count(), 0)
          await page.getByRole("button", { name: "Add link" }).click()
          await page.getByRole("switch", { name: "Tell your admins when it is opened for the first time" }).waitFor()
          await page.getByText("your admins get a mail").waitFor()
          // An admin may move what is another’s, but not into a folder where its owner would not see it.
          await open("/projects/theirs/settings")
          await page.getByRole("button", { name: "Folder: No folder" }).click()
          await page.getByRole("menuitemradio", { name: "Team" }).waitFor()
          assert.strictEqual(await page.getByRole("menuitemradio", { name: "Guest’s own" }).count(), 0)
          await open(`/?workspace=${host.workspaceId}`)
          await card.dragTo(page.getByRole("list", { name: "Folders" }).getByRole("link", { name: "Guest’s own" }))
          await settled()
          assert.strictEqual(changes, 0)
          await card.getByRole("button", { name: "More about" }).click()
          assert.strictEqual(await page.getByRole("menuitem", { name: "Open the document" }).count(), 0)
          await page.getByRole("menuitem", { name: "Move to a folder" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Team" }).waitFor()
          assert.strictEqual(await page.getByRole("dialog").getByRole("button", { name: "Guest’s own" }).count(), 0)
        })

        // Much of everything: it is found by name, and pushes nothing out of sight.
        yield* statement("INSERT INTO folders (id, workspace_id, name, sharing, created_by, created_at, updated_at) SELECT gen_random_uuid(), $1, 'Client ' || n, 'team', $2, now(), now() FROM generate_series(1, 29) n", host.workspaceId, host.id)
        yield* Effect.forEach(Array.from({ length: 10 }, (_, n) => n), (n) => service.ask(`/v1/projects/client-7${n || ""}`, { method: "PUT", body: `# Client 7${n || ""}`, headers: { ...host.bearer, "content-type": "text/markdown" } }))
        for (let n = 0; n < 20; n++) yield* joins(yield* homeless, host, "member")
        yield* invited(host, "late@example.com", { daysAgo: 1 })
        yield* Effect.promise(async () => {
          await open(`/?workspace=${host.workspaceId}`)
          const folders = page.getByRole("list", { name: "Folders" }).getByRole("link")
          await folders.first().waitFor()
          assert.deepStrictEqual((await folders.allInnerTexts()).map((text) => text.split("\n")[0]), Array.from({ length: 8 }, (_, n) => `Client ${n + 1}`))
          await page.getByRole("button", { name: "All 31 folders" }).click()
          await comesTrue(() => folders.nth(8).evaluate((one) => one === document.activeElement))
          assert.deepStrictEqual(await axe(page), [])
          await page.getByRole("searchbox").fill("client 7")
          await comesTo(() => folders.count(), 1)
          await page.getByRole("heading", { name: "Client 7", exact: true }).waitFor()
          await page.getByRole("searchbox").fill("team")
          await page.getByText("No project is called that").waitFor()
          await folders.filter({ hasText: "Team" }).waitFor()

          // What is called exactly that is the first, though it is the oldest; one row leads to all.
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox").fill("client 7")
          const option = page.getByRole("option")
          await option.filter({ hasText: "All results for “client 7”" }).waitFor()
          assert.match(await option.first().innerText(), /^Client 7(?!\d)/)
          assert.strictEqual(await page.getByRole("group", { name: "Folders" }).getByRole("option").count(), 1)
          await option.filter({ hasText: "All results" }).click()
          await page.waitForURL((url) => url.searchParams.get("q") === "client 7")
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox").fill("client 13")
          await page.getByRole("group", { name: "Folders" }).getByRole("option", { name: "Client 13" }).click()
          await page.getByRole("heading", { name: "Client 13" }).waitFor()

          // What is not read yet is no choice: a menu of nothing would close as the folders arrive.
          const unread = Promise.withResolvers<void>()
          await page.route("**/v1/folders?*", async (route) => {
            await unread.promise
            await route.continue()
          })
          await open("/projects/theirs/settings")
          await page.getByText("Loading the folders").waitFor()
          assert.strictEqual(await page.getByRole("button", { name: /^Folder: / }).count(), 0)
          unread.resolve()
          await page.getByRole("button", { name: "Folder: No folder" }).click()
          await page.getByRole("option", { name: "No folder" }).waitFor()
          await page.getByRole("combobox").fill("ent 2")
          assert.deepStrictEqual(await option.allInnerTexts(), ["Client 2", ...Array.from({ length: 10 }, (_, n) => `Client 2${n}`)])
          assert.deepStrictEqual(await axe(page), [])
          await page.keyboard.press("ArrowDown")
          await page.keyboard.press("Enter")
          const chosen = page.getByRole("button", { name: "Folder: Client 20" })
          await comesTrue(() => chosen.evaluate((one) => one === document.activeElement))
          await page.getByText("Theirs is in Client 20 now.").first().waitFor()

          await open(`/workspace/members?workspace=${host.workspaceId}`)
          const members = page.getByRole("list", { name: "Members", exact: true }).getByRole("listitem")
          await members.first().waitFor()
          assert.strictEqual(await members.count(), 20)
          await page.getByRole("button", { name: "1 invitation" }).click()
          await comesTrue(() => page.getByRole("heading", { name: "Invitations" }).evaluate((one) => one.closest("section") === document.activeElement))
          await page.getByRole("button", { name: "Show more" }).click()
          await comesTo(() => members.count(), 22)
          await page.getByRole("searchbox", { name: "Find a member" }).fill(guest.email)
          await page.getByText("1 of 22 members").waitFor()
          assert.strictEqual(await members.count(), 1)
          assert.deepStrictEqual(await axe(page), [])
          await page.getByRole("button", { name: "More for Ada Example" }).click()
          await page.getByRole("menuitem", { name: "Leave" }).click()
          await page.getByRole("button", { name: "Leave", exact: true }).click()
          await page.getByText("You left Home.").first().waitFor()
        })
        assert.lengthOf((yield* ask(host, "GET", `/v1/workspace/members?workspace=${host.workspaceId}`)).json, 21)
        assert.deepStrictEqual(errors, [])
      }))
  })
})
