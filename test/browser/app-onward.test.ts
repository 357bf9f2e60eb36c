/** The web app as somebody goes on in it: what stays with its project, where the focus goes, what follows what, and what is over only once it is. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutLimits } from "../../src/services/database/client.ts"
import { dropped, signedInPage } from "../support/app.ts"
import { comesTo, comesTrue, executable, focused, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`going on in the web app (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("each project keeps what was typed for it, however far the browser goes back; whoever writes by the time a title is refused keeps the focus", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        for (const slug of ["apples", "pears"]) yield* ask(`/v1/projects/${slug}`, { method: "PUT", headers: { ...bearer, "content-type": "text/plain" }, body: slug })
        yield* ask("/v1/projects/pears", { method: "PATCH", json: { comments_enabled: true }, headers: bearer })
        yield* Effect.promise(async () => {
          const day = page.getByLabel("Up until the end of")
          const to = (slug: string) => page.getByRole("heading", { level: 1, name: slug }).waitFor()
          await open("/projects/apples/settings")
          await day.waitFor()
          await page.keyboard.press("Control+k")
          await page.getByRole("combobox").fill("pears")
          await page.getByRole("option", { name: "pears" }).first().click()
          await to("pears")
          await page.getByRole("link", { name: "Settings", exact: true }).click()
          await day.fill("2031-01-31")
          await page.evaluate(() => history.go(-2))
          await to("apples")
          await comesTo(() => day.inputValue(), "")

          await open("/projects/pears/comments")
          await page.getByRole("button", { name: "Comment", exact: true }).click()
          const refused = Promise.withResolvers<void>()
          await page.route("**/v1/projects/pears", (route) => route.request().method() === "PATCH" ? refused.promise.then(() => route.abort()) : route.fallback())
          await page.getByTitle("Rename").click()
          const title = page.getByRole("textbox", { name: "Title" })
          await title.fill("Plums")
          const words = page.getByLabel("A comment about the whole document")
          await words.click()
          await page.keyboard.type("These are ")
          refused.resolve()
          await page.getByRole("alert").getByText("svc cannot be reached.").waitFor()
          await page.keyboard.type("pears.")
          assert.deepStrictEqual([await words.inputValue(), await title.inputValue()], ["These are pears.", "Plums"])
        })
      }))

    it.effect("the focus has a place where the button that was pressed goes with what it brought", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        yield* ask("/v1/projects/only", { method: "PUT", headers: { ...bearer, "content-type": "text/plain" }, body: "x" })
        const { json: first } = yield* ask("/v1/projects?include=excerpt", { headers: bearer })
        yield* Effect.promise(async () => {
          const press = async (name: string) => {
            await page.getByRole("button", { name, exact: true }).press("Enter")
            await page.getByRole("button", { name, exact: true }).waitFor({ state: "detached" })
          }
          const rows = (from: number) => Array.from({ length: 5 }, (_, index) => ({ ...first.projects[0], id: `${first.projects[0].id.slice(0, -2)}${from + index}`, title: `Report ${from + index}` }))
          await page.route("**/v1/projects?*", (route) =>
            new URL(route.request().url()).searchParams.has("cursor")
              ? route.fulfill({ json: { ...first, projects: rows(20), next_cursor: null } })
              : route.fulfill({ json: { ...first, projects: rows(10), next_cursor: "next" } }))
          await open("/")
          await press("Show more")
          await focused(page.getByRole("listitem").filter({ hasText: "Report 20" }))
          await page.unroute("**/v1/projects?*")

          await open("/?q=nobody")
          await press("Show everything")
          await comesTrue(() => page.evaluate(() => document.querySelector("main")!.contains(document.activeElement)))

          await open("/projects/only/comments")
          await press("Turn comments on")
          await focused(page.getByRole("radio", { name: "Open" }))

          const error = { code: "rate_limited", message: "Too many requests.", field: null, details: {} }
          await page.route("**/v1/tokens", (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 })
          await open("/account/tokens")
          await press("Try again")
          await focused(page.getByRole("button", { name: "Revoke test" }))
          await page.route("**/v1/projects/only/analytics?*", (route) => route.fulfill({ status: 429, json: { error } }), { times: 1 })
          await open("/projects/only/analytics")
          await press("Try again")
          await focused(page.getByRole("radio", { name: "7 days" }))
        })
      }))

    it.effect("the invitation that takes the last seat is shown as on its way until it is sent", () =>
      Effect.gen(function*() {
        const { ask } = yield* Service
        const { account: { bearer }, open, page } = yield* signedInPage()
        const { limits, usage } = (yield* ask("/v1/workspace", { headers: bearer })).json
        for (let seat = usage.seats + 1; seat < limits.seats; seat++) yield* ask("/v1/workspace/invites", { json: { email: `seat-${seat}@example.com`, role: "member" }, headers: bearer })
        yield* Effect.promise(async () => {
          await open("/workspace/members")
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          const dialog = page.getByRole("dialog", { name: "Invite somebody" })
          await dialog.getByText("1 seat free").waitFor()
          const read = Promise.withResolvers<void>()
          await page.route("**/v1/workspace/invites?*", (route) => route.request().method() === "GET" ? read.promise.then(() => route.fallback()) : route.fallback())
          await dialog.getByLabel("Email").fill("last@example.com")
          await dialog.getByRole("button", { name: "Send invitation" }).click()
          await dialog.getByText("0 seats free").waitFor()
          assert.strictEqual(await dialog.getByRole("button", { name: "Send invitation" }).getAttribute("aria-busy"), "true")
          read.resolve()
          await dialog.waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Invite", exact: true }).click()
          const full = page.getByRole("dialog", { name: "Every seat is taken" })
          await full.getByText("their invitation ends. Take an invitation back, or remove somebody.").waitFor()
          assert.strictEqual(await full.getByRole("link").count(), 0)
        })
      }))

    it.effect("versions of one project follow one another: the one chosen last is the one that stays", () =>
      Effect.gen(function*() {
        const { account, open, page } = yield* signedInPage()
        const arrivals = page.getByRole("list", { name: "Publishing" })
        const { ask } = yield* Service
        yield* ask("/v1/projects/in-turn", { method: "PUT", body: "# Before", headers: { ...account.bearer, "content-type": "text/markdown" } })
        yield* Effect.promise(async () => {
          const sent: Array<string> = []
          const held = Promise.withResolvers<void>()
          await page.route("**/v1/projects/in-turn", async (route) => {
            if (route.request().method() !== "PUT") return route.fallback()
            sent.push(route.request().headers()["x-filename"]!)
            await held.promise
            return route.fallback()
          })
          await open("/projects/in-turn")
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
          for (const name of ["wrong.md", "right.md", "not-at-all.md"]) await dropped(page, [[name, "text/markdown", `# ${name}`]])
          await arrivals.getByRole("listitem").nth(2).getByRole("button", { name: "Cancel" }).click()
          await page.waitForTimeout(300)
          assert.deepStrictEqual(sent, ["wrong.md"])
          held.resolve()
          await arrivals.getByText("Version 3 is live").waitFor()
          assert.deepStrictEqual(sent, ["wrong.md", "right.md"])
        })
        assert.strictEqual((yield* ask("/v1/projects/in-turn", { headers: account.bearer })).json.title, "right.md")
      }))

    it.effect("what has arrived whole is not called off any more: the service publishes it, whatever becomes of the request", () =>
      Effect.gen(function*() {
        const { account, open, page } = yield* signedInPage()
        const arrivals = page.getByRole("list", { name: "Publishing" })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
        })
        // Its workspace is locked, so that it is still being published.
        yield* (yield* Service).inside(SqlClient.SqlClient.use((sql) => Effect.orDie(sql.withTransaction(Effect.gen(function*() {
          yield* withoutLimits(sql)
          yield* sql`SELECT 1 FROM workspaces WHERE id = ${account.workspaceId} FOR UPDATE`
          yield* Effect.promise(async () => {
            await dropped(page, [["notes.md", "text/markdown", "# Notes"]])
            await arrivals.getByText("Making it live").waitFor()
            assert.isTrue(await arrivals.getByRole("button", { name: "Cancel" }).isDisabled())
          })
        })))))
        yield* Effect.promise(() => arrivals.getByText("Notes is live").waitFor())
      }))
  })
})
