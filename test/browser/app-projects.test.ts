/** The project screens as people use them; the effect of each step is read back over HTTP. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Locator, Page } from "playwright-core"
import { dropped, looksAgain, signedInPage } from "../support/app.ts"
import type { Question } from "../support/ask.ts"
import { axe, axeAgain } from "../support/axe.ts"
import { comesTo, comesTrue, executable, focused, hasChromium, runsFromRight } from "../support/browser.ts"
import { eventually } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"
import { rawZip } from "../support/zips.ts"

/** A state that has no address of its own, in both themes and widths; leaves the page as it was. */
const clean = async (page: Page, where: string): Promise<void> => {
  assert.deepStrictEqual(await axe(page), [], where)
  assert.deepStrictEqual(await axeAgain(page, "dark", 390), [], `${where}, dark`)
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** The focus is in the dialog, which therefore gets the keys. */
const isIn = (page: Page) => page.waitForFunction(() => document.activeElement?.closest("[role=dialog]") != null)

/** The question gets the keys: it is drawn a moment before it takes the focus, and listens a frame after that. */
const asks = async (page: Page) => {
  await page.waitForFunction(() => document.activeElement?.closest("[role=alertdialog]") != null)
  await page.evaluate(() => new Promise((listens) => requestAnimationFrame(() => requestAnimationFrame(listens))))
}

/** Whether the browser asks before it leaves the page. */
const holds = (page: Page) => page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })))

const signedIn = Effect.gen(function*() {
  const service = yield* Service
  const seen = yield* signedInPage()
  const { bearer, workspaceId } = seen.account
  // oxlint-disable-next-line typescript/no-explicit-any -- read back and compared as it came
  const call = async (method: string, path: string, json?: unknown): Promise<any> => {
    await seen.settled()
    const question: Question = { method, headers: bearer, ...(json === undefined ? {} : { json }) }
    return JSON.parse((await Effect.runPromise(service.ask(path, question))).text)
  }
  const put = (slug: string, type: string, body: string, query = "") =>
    Effect.runPromise(service.ask(`/v1/projects/${slug}${query}`, { method: "PUT", body, headers: { ...bearer, "content-type": type } }))
  const read = async (slug: string, path = "/", headers: Record<string, string> = {}) => {
    await seen.settled()
    return Effect.runPromise(service.ask(path, { headers: { host: `${slug}.svc.localhost:${service.port}`, ...headers } }))
  }
  return { ...seen, call, put, read, service, workspaceId }
})

describe.skipIf(!hasChromium)(`projects in the web app (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("a library: folders, publishing with its refusals, finding, moving with the way back", () =>
      Effect.gen(function*() {
        const { call, errors, open, page, put, read, strangers } = yield* signedIn
        const folder = mkdtempSync(join(tmpdir(), "site-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
        mkdirSync(join(folder, "launch", "deep"), { recursive: true })
        writeFileSync(join(folder, "launch", "index.html"), "<!doctype html><title>Launch</title><p>Here")
        writeFileSync(join(folder, "launch", "deep", "more.html"), "<!doctype html><p>More")
        mkdirSync(join(folder, "notes"))
        for (const note of ["one.txt", "two.txt"]) writeFileSync(join(folder, "notes", note), note)
        for (const hidden of [".git", "node_modules"]) mkdirSync(join(folder, "launch", hidden))
        for (const hidden of [".env", join(".git", "config"), join("node_modules", "index.js"), ".DS_Store"]) writeFileSync(join(folder, "launch", hidden), "nobody's business")
        yield* Effect.promise(async () => {
          await put("minutes", "text/markdown", "# Minutes of March")
          await open("/")
          // A press beside a dialog closes it, unless something was typed.
          await page.getByRole("button", { name: "New folder" }).click()
          await page.getByLabel("Name").waitFor()
          await page.mouse.click(8, 8)
          await page.getByLabel("Name").waitFor({ state: "detached" })
          await page.getByRole("button", { name: "New folder" }).click()
          await page.getByLabel("Name").fill("Clients")
          await page.mouse.click(8, 8)
          await page.getByRole("radio", { name: "Only for you" }).click()
          await page.getByText("private documents in it open for nobody else of the workspace").waitFor()
          await clean(page, "new folder")
          await page.getByRole("button", { name: "Make folder" }).click()
          await page.getByRole("heading", { name: "Clients" }).waitFor()
          const [made] = (await call("GET", "/v1/folders")).folders
          assert.deepInclude(made, { name: "Clients", sharing: "private", project_count: 0 })

          // A whole folder, into the folder that is open; files that nobody means to publish are not sent.
          await page.getByLabel("Folder to publish").setInputFiles(join(folder, "launch"))
          await page.getByText("Left out: .env, .git, node_modules.").first().waitFor()
          const live = page.getByRole("list", { name: "Publishing" }).getByText("is live")
          await live.waitFor()
          const site = (await call("GET", `/v1/projects?folder_id=${made.id}`)).projects[0]
          assert.deepInclude(site, { kind: "site", file_count: 2, folder_id: made.id })
          assert.include((await read(site.slug, "/deep/more")).text, "More")
          await page.getByRole("button", { name: "Copy address" }).waitFor()
          await page.getByRole("button", { name: "Put away" }).click()
          // The focus goes back to where it was before, whatever goes with the row.
          const heading = page.getByRole("heading", { level: 1 })
          await focused(heading)

          // A refusal is shown where the file was dropped; a cancelled upload leaves nothing.
          await dropped(page, [["broken.zip", "application/zip", "no zip"]])
          await page.getByRole("alert").getByText("broken.zip could not be published").waitFor()
          await clean(page, "a refused file")
          await page.getByRole("button", { name: "Put away" }).click()
          await page.getByLabel("Files to publish").setInputFiles({ name: "climbs.zip", mimeType: "application/zip", buffer: rawZip([{ name: "index.html" }, { name: "../notes.txt" }]) })
          await page.getByRole("alert").filter({ hasText: "leads out of the site" }).getByText("../notes.txt").waitFor()
          await page.getByRole("button", { name: "Put away" }).click()
          await page.getByLabel("Folder to publish").setInputFiles(join(folder, "notes"))
          await page.getByRole("alert").filter({ hasText: "notes could not be published" }).getByText("This folder has no index.html, its first page. Add one, or publish the files one by one.").waitFor()
          await page.getByRole("button", { name: "Put away" }).click()
          await page.route("**/v1/projects", () => {})
          await dropped(page, [["slow.txt", "text/plain", "slow"]])
          await page.getByRole("progressbar").waitFor()
          assert.isTrue(await holds(page))
          await page.getByRole("button", { name: "Cancel" }).click()
          await page.getByRole("progressbar").waitFor({ state: "detached" })
          await focused(heading)
          assert.isFalse(await holds(page))
          await page.unroute("**/v1/projects")
          assert.lengthOf((await call("GET", "/v1/projects")).projects, 2)

          // Moved into the folder, and back by the toast; then by the menu.
          await page.getByRole("link", { name: "Library" }).last().click()
          const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Minutes of March" }) })
          await card.waitFor()
          // The new project stands first, and nothing moves under the pointer any more.
          await page.getByRole("heading", { name: "Launch" }).waitFor()
          await page.getByRole("list", { name: "Folders" }).getByRole("link", { name: "Clients Private 1" }).waitFor()
          await card.dragTo(page.getByRole("list", { name: "Folders" }).getByRole("link", { name: "Clients" }))
          await page.getByText("Minutes of March is in Clients now.").first().waitFor()
          assert.strictEqual((await call("GET", "/v1/projects/minutes")).folder_id, made.id)
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("Undone").waitFor({ state: "attached" })
          assert.strictEqual((await call("GET", "/v1/projects/minutes")).folder_id, null)
          await page.getByText("Minutes of March is in Clients now.").first().waitFor({ state: "detached" })
          await card.getByRole("button", { name: "More about" }).click()
          await page.getByRole("menuitem", { name: "Move to a folder" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "No folder", pressed: true }).waitFor()
          await page.keyboard.press("Escape")
          await focused(card.getByRole("button", { name: "More about" }))
          await page.keyboard.press("Enter")
          await page.getByRole("menuitem", { name: "Move to a folder" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Clients" }).click()
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await page.getByText("Minutes of March is in Clients now.").first().waitFor()
          assert.strictEqual((await call("GET", "/v1/projects/minutes")).folder_id, made.id)
          // Not over somebody's later move.
          const later = await call("POST", "/v1/folders", { name: "Later" })
          await call("PATCH", "/v1/projects/minutes", { folder_id: later.id })
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("It was moved again meanwhile, so nothing was undone.").first().waitFor()
          assert.strictEqual((await call("GET", "/v1/projects/minutes")).folder_id, later.id)
          await call("PATCH", "/v1/projects/minutes", { folder_id: made.id })
          await call("DELETE", `/v1/folders/${later.id}`)
          await page.reload()

          await page.getByRole("searchbox").fill("march")
          await page.getByRole("heading", { name: "Launch" }).waitFor({ state: "detached" })
          await page.getByRole("heading", { name: "Minutes of March" }).waitFor()
          await page.getByRole("status").getByText("1 project found", { exact: true }).waitFor({ state: "attached" })
          await page.getByRole("searchbox").fill("")
          await page.getByRole("button", { name: "Show as a list" }).click()
          await page.getByRole("heading", { name: "Launch" }).waitFor()
          await page.getByRole("button", { name: "Show as cards" }).click()
          await page.getByRole("searchbox").fill("april")
          await page.getByRole("status").getByText("No project found").waitFor({ state: "attached" })
          await page.getByRole("button", { name: "Show everything" }).click()
          await page.getByRole("heading", { name: "Launch" }).waitFor()
          await page.waitForFunction(() => document.querySelector<HTMLInputElement>("input[type=search]")?.value === "")

          await page.getByRole("list", { name: "Folders" }).getByRole("link", { name: "Clients" }).click()
          await page.getByRole("button", { name: "Folder Clients" }).click()
          await page.getByRole("menuitem", { name: "Rename or share" }).click()
          await page.getByLabel("Name").fill("Customers")
          await page.getByRole("radio", { name: "For the workspace" }).click()
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("heading", { name: "Customers" }).waitFor()
          assert.deepInclude((await call("GET", "/v1/folders")).folders[0], { name: "Customers", sharing: "team", project_count: 2 })

          // Moved out of the folder that is shown, its card goes, however late, and the focus is at the one beside it.
          await page.route("**/v1/projects?*folder_id=*", (route) => pause(500).then(() => route.continue()))
          await card.getByRole("button", { name: "More about" }).click()
          await page.getByRole("menuitem", { name: "Move to a folder" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "No folder" }).click()
          await card.waitFor({ state: "detached" })
          await comesTrue(() => page.evaluate(() => document.activeElement?.closest("main li") != null))
          await page.getByRole("button", { name: "Undo" }).last().click()
          await card.waitFor()
          await page.unroute("**/v1/projects?*folder_id=*")
          await page.getByRole("button", { name: "Folder Customers" }).click()
          await page.getByRole("menuitem", { name: "Who can comment" }).click()
          const access = page.getByRole("dialog", { name: "Who can comment in Customers" })
          await access.getByRole("radio", { name: "Members and listed people" }).click()
          await access.getByLabel("Add people by email").fill("dana@northwind.example; Lee@agency")
          await access.getByRole("button", { name: "Add", exact: true }).click()
          await access.getByRole("alert").getByText("Lee@agency: This is not an email address.").waitFor()
          await access.getByLabel("Add people by email").fill("Dana Diaz <dana@northwind.example>; Lee@agency.example")
          await access.getByRole("button", { name: "Add", exact: true }).click()
          const listed = access.getByRole("list", { name: "Listed people" })
          await listed.getByText("lee@agency.example").waitFor()
          await clean(page, "who can comment in a folder")
          // One after another, though the answers are slow: none brings back an entry that a later change removes.
          const [first, slow, readUntilLast] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<number>()]
          const sent = { GET: 0, PUT: 0 }
          await page.route("**/comment-allowlist", async (route) => {
            sent[route.request().method() as keyof typeof sent]++
            if (route.request().method() === "PUT") {
              if (sent.PUT === 3) readUntilLast.resolve(sent.GET)
              await (sent.PUT === 1 ? first : slow).promise
            }
            await route.continue()
          })
          await access.getByRole("switch", { name: "Also those listed for the workspace" }).click()
          await access.getByText("Their list does not count here.").waitFor()
          await access.getByRole("button", { name: "Take dana@northwind.example off" }).click()
          await listed.getByText("dana@northwind.example").waitFor({ state: "detached" })
          await access.getByRole("button", { name: "Take lee@agency.example off" }).click()
          await listed.waitFor({ state: "detached" })
          const answered = page.waitForResponse((answer) => answer.request().method() === "PUT")
          first.resolve()
          await answered
          slow.resolve()
          // The screen reads nothing before the last one is saved.
          assert.strictEqual(await readUntilLast.promise, 0)
          assert.strictEqual(await listed.count(), 0)
          // What somebody else added meanwhile stays, though this screen has not seen it.
          await call("PUT", `/v1/folders/${made.id}/comment-allowlist`, { add_emails: ["eve@agency.example"] })
          // The toast is above the dialog, and the dialog stays open.
          const undo = (email: string) => page.getByRole("listitem").filter({ hasText: `${email} is off the list.` }).getByRole("button", { name: "Undo" }).click()
          await undo("dana@northwind.example")
          await listed.getByText("dana@northwind.example").waitFor()
          assert.strictEqual(await listed.getByText("lee@agency.example").count(), 0)
          await undo("lee@agency.example")
          await listed.getByText("lee@agency.example").waitFor()
          assert.deepStrictEqual(await call("GET", `/v1/folders/${made.id}/comment-allowlist`), {
            comment_access: "allowlist", comment_allowlist_inherit: false, emails: ["eve@agency.example", "dana@northwind.example", "lee@agency.example"], inherited_emails: []
          })
          await access.getByRole("button", { name: "Close" }).click()
          await page.getByRole("button", { name: "Folder Customers" }).click()
          await page.getByRole("menuitem", { name: "Delete folder" }).click()
          await page.getByRole("alertdialog").getByText("stay where they are published").waitFor()
          await page.getByRole("button", { name: "Delete folder" }).click()
          await page.getByRole("heading", { name: "Library", exact: true }).waitFor()
          assert.deepStrictEqual((await call("GET", "/v1/folders")).folders, [])
          assert.lengthOf((await call("GET", "/v1/projects")).projects, 2)
        })
        assert.deepStrictEqual([errors.filter((error) => !/422/.test(error)), strangers], [[], []])
      }))

    it.effect("who can open it: three choices, the doorcode, and a link for each recipient", () =>
      Effect.gen(function*() {
        const { call, errors, open, page, put, read, strangers } = yield* signedIn
        yield* Effect.promise(async () => {
          await put("brief", "text/plain", "The brief")
          await open("/projects/brief")
          await page.getByRole("link", { name: "Share" }).click()
          const dialog = page.getByRole("dialog")
          // Heard once: its sentence describes it, and does not name it as well.
          await dialog.getByRole("radio", { name: "Only people you choose", exact: true }).click()
          await dialog.getByText("Opens for members only. Give others a link below.").waitFor()
          // In a private folder it opens for nobody else, whatever the workspace is.
          const { id: folder } = await call("POST", "/v1/folders", { name: "Mine", sharing: "private" })
          await call("PATCH", "/v1/projects/brief", { folder_id: folder })
          await page.reload()
          await dialog.getByText("Opens for you only. Give others a link below.").waitFor()
          await dialog.getByText("Opens only for people you give a link: its folder is private.").waitFor()
          await call("PATCH", "/v1/projects/brief", { folder_id: null })
          await page.reload()
          await dialog.getByText("Opens only for people you give a link, and for your workspace.").waitFor()
          // Only the remaining step's button is filled.
          const filled = () => dialog.getByRole("button").evaluateAll((all) =>
            all.filter((one) => getComputedStyle(one).backgroundColor === getComputedStyle(document.body).color).map((one) => one.textContent))
          assert.deepStrictEqual(await filled(), ["Add link"])
          await dialog.getByText("No links so far").waitFor()
          await eventually("the page is closed", async () => (await read("brief")).status === 403)
          // Two choices one upon the other: the second is sent once the first is made, however long that takes, so that the last one holds.
          const [made, choices] = [Promise.withResolvers<void>(), [] as Array<string>]
          await page.route("**/v1/projects/brief", async (route) => {
            if (route.request().method() === "PATCH") {
              choices.push(route.request().postDataJSON().visibility)
              if (choices.length === 1) await made.promise
            }
            await route.fallback()
          })
          const [anyone, chosen] = [dialog.getByRole("radio", { name: "Anyone with the address" }), dialog.getByRole("radio", { name: "Only people you choose" })]
          await anyone.click()
          await chosen.click()
          await comesTrue(() => chosen.isChecked())
          assert.deepStrictEqual(choices, ["public"])
          const second = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.request().postDataJSON().visibility === "private")
          made.resolve()
          await second
          await page.unroute("**/v1/projects/brief")
          assert.deepStrictEqual([choices, (await call("GET", "/v1/projects/brief")).visibility], [["public", "private"], "private"])
          // Keys look at the choices, and open it to nobody on the way.
          await dialog.getByRole("radio", { name: "Only people you choose" }).focus()
          await page.keyboard.press("ArrowDown")
          await focused(dialog.getByRole("radio", { name: "Anyone with the address" }))
          await page.keyboard.press("ArrowDown")
          await page.waitForTimeout(200)
          assert.strictEqual((await call("GET", "/v1/projects/brief")).visibility, "private")
          await page.keyboard.press("Space")
          const code = dialog.getByRole("code")
          await code.waitFor()
          const before = await code.innerText()
          await page.getByText(`The doorcode is ${before} now`).waitFor({ state: "attached" })
          assert.deepStrictEqual(await filled(), ["Copy address"])
          const renew = dialog.getByRole("button", { name: "Make a new doorcode" })
          // A refusal is shown beside the new code, and the old one still opens the project.
          await page.route("**/v1/projects/brief", (route) =>
            route.request().method() === "PATCH" ? route.fulfill({ status: 422, json: { error: { code: "validation_error", message: "Not now." } } }) : route.fallback())
          await renew.click()
          await dialog.getByRole("alert").getByText("Not now.").waitFor()
          await page.unroute("**/v1/projects/brief")
          await code.filter({ hasText: before }).waitFor()
          await renew.click()
          await code.filter({ hasNotText: before }).waitFor()
          assert.strictEqual((await call("GET", "/v1/projects/brief")).password, await code.innerText())
          await page.getByText(`The doorcode is ${await code.innerText()} now`).waitFor({ state: "attached" })
          const choose = dialog.getByRole("button", { name: "Choose the doorcode" })
          await choose.click()
          await dialog.getByRole("button", { name: "Cancel" }).click()
          await focused(dialog.getByRole("button", { name: "Copy doorcode" }))
          await choose.click()
          await dialog.getByLabel("New doorcode").fill("open\u200bsesame")
          await dialog.getByRole("button", { name: "Set doorcode" }).click()
          await dialog.getByRole("alert").getByText("invisible").waitFor()
          await dialog.getByLabel("New doorcode").fill(" open sesame ")
          await dialog.getByRole("button", { name: "Set doorcode" }).click()
          await code.getByText("open sesame").waitFor()
          await focused(dialog.getByRole("button", { name: "Copy doorcode" }))
          assert.strictEqual((await call("GET", "/v1/projects/brief")).password, "open sesame")

          // Escape leaves the form alone, and loses nothing that was typed into it.
          await dialog.getByRole("button", { name: "Add link" }).click()
          await page.keyboard.press("Escape")
          await dialog.getByLabel("Who is it for?").waitFor({ state: "detached" })
          await focused(dialog.getByRole("button", { name: "Add link" }))
          await page.keyboard.press("Enter")
          await dialog.getByLabel("Who is it for?").fill("Dana")
          await page.keyboard.press("Escape")
          // Nor does a press beside the dialog.
          await page.mouse.click(8, 8)
          assert.strictEqual(await dialog.getByLabel("Who is it for?").inputValue(), "Dana")
          await dialog.getByLabel("Days it works").fill("7")
          // Twice in one moment, as a worn mouse does.
          await dialog.getByRole("button", { name: "Create link" }).evaluate((button: HTMLButtonElement) => (button.click(), button.click()))
          await dialog.getByText("shown this once").waitFor()
          await focused(dialog.getByRole("button", { name: "Copy link" }))
          // Heard once, and not with every change of its button.
          await page.getByText("The link is ready.").waitFor({ state: "attached" })
          assert.strictEqual(await dialog.getByRole("status").filter({ has: page.getByRole("button") }).count(), 0)
          assert.deepStrictEqual(await filled(), ["Copy link"])
          await page.keyboard.press("Escape")
          await page.getByRole("alertdialog", { name: "Close without copying the link for Dana?" }).getByRole("button", { name: "Go back" }).click()
          await page.getByRole("alertdialog").waitFor({ state: "detached" })
          await page.evaluate(() => history.back())
          await page.getByRole("alertdialog", { name: "Close without copying the link for Dana?" }).getByRole("button", { name: "Go back" }).click()
          await page.getByRole("alertdialog").waitFor({ state: "detached" })
          await page.waitForURL("**/projects/brief/share")
          assert.isTrue(await holds(page))
          const address = new URL(await dialog.locator("code").nth(1).innerText())
          await clean(page, "share")
          const opens = () => read("brief", address.pathname + address.search, { "user-agent": "Mozilla/5.0 Firefox/140.0" })
          assert.strictEqual((await opens()).status, 303)
          await dialog.getByRole("button", { name: "Done" }).click()
          assert.isFalse(await holds(page))
          await focused(dialog.getByRole("button", { name: "Change the link for Dana" }))
          await page.keyboard.press("Enter")
          await dialog.getByLabel("Who is it for?").fill("Dana at Northwind")
          await page.keyboard.press("Escape")
          assert.strictEqual(await dialog.getByLabel("Who is it for?").inputValue(), "Dana at Northwind")
          await dialog.getByRole("button", { name: "No end" }).click()
          await focused(dialog.getByLabel("Works until the end of"))
          assert.strictEqual((await opens()).status, 303)
          await dialog.getByRole("button", { name: "Save" }).click()
          await dialog.getByText("Opened 2 times").waitFor()
          const links = await call("GET", "/v1/projects/brief/share-links")
          assert.lengthOf(links, 1)
          const [link] = links
          const times = await dialog.getByRole("listitem").locator("time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime")))
          assert.deepStrictEqual(times, [link.first_opened_at, link.last_opened_at])
          assert.deepInclude(link, { label: "Dana at Northwind", expires_at: null, view_count: 2, notify_on_first_open: true })
          // Its new end takes no name away that it was given elsewhere meanwhile.
          await dialog.getByRole("button", { name: "Change the link for Dana" }).click()
          await dialog.getByLabel("Works until the end of").fill("2099-12-31")
          await call("PATCH", `/v1/share-links/${link.id}`, { label: "Dana of Northwind" })
          const readAgain = page.waitForResponse((response) => response.url().endsWith("/share-links"))
          await looksAgain(page)
          await readAgain
          await dialog.getByRole("button", { name: "Save" }).click()
          await dialog.getByText("Dana of Northwind").waitFor()
          await focused(dialog.getByRole("button", { name: "Change the link for Dana" }))
          assert.match((await call("GET", "/v1/projects/brief/share-links"))[0].expires_at, /^2099-12-31T/)
          await dialog.getByRole("button", { name: "Revoke the link for Dana" }).click()
          await page.getByRole("alertdialog").getByText("stops opening at once").waitFor()
          await asks(page)
          await page.keyboard.press("Escape")
          await focused(dialog.getByRole("button", { name: "Revoke the link for Dana" }))
          await page.keyboard.press("Enter")
          await page.getByRole("button", { name: "Revoke link" }).click()
          await dialog.getByText("No links so far").waitFor()
          await page.getByRole("alertdialog").waitFor({ state: "detached" })
          await focused(dialog.getByRole("button", { name: "Add link" }))
          assert.strictEqual((await opens()).status, 404)
          // The toast came up last, but the key still belongs to the dialog.
          await page.getByText("The link for Dana of Northwind opens nothing any more.").first().waitFor()
          await isIn(page)
          await page.keyboard.press("Escape")
          await dialog.waitFor({ state: "detached" })
          assert.match(page.url(), /\/projects\/brief$/)

          // It closes to where it was opened, however often the key is pressed, and the way back does not open it again.
          await page.getByRole("link", { name: "Readers", exact: true }).click()
          await page.waitForURL("**/projects/brief/analytics")
          await page.getByRole("link", { name: "Share", exact: true }).click()
          await dialog.waitFor()
          await dialog.evaluate((shown) => {
            for (let press = 0; press < 2; press++) shown.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }))
          })
          await dialog.waitFor({ state: "detached" })
          await page.waitForURL("**/projects/brief/analytics")
          await focused(page.getByRole("link", { name: "Share", exact: true }))
          await page.goBack()
          await page.waitForURL("**/projects/brief")
          assert.strictEqual(await dialog.count(), 0)

          await page.getByRole("link", { name: "Share" }).click()
          await dialog.getByRole("button", { name: "Add link" }).click()
          await dialog.getByLabel("Who is it for?").fill("Lee")
          await dialog.getByRole("button", { name: "Create link" }).click()
          await dialog.getByText("shown this once").waitFor()
          // A session that ends elsewhere does not take it away either.
          await page.context().clearCookies()
          await looksAgain(page)
          await page.getByText("You were signed out.").waitFor({ state: "attached" })
          await dialog.getByRole("button", { name: "Copy link" }).waitFor()
          await page.evaluate(() => history.back())
          await page.getByRole("alertdialog").getByRole("button", { name: "Close" }).click()
          await page.waitForURL("**/login?next=%2Fprojects%2Fbrief")
        })
        assert.deepStrictEqual([errors.filter((error) => !/401|422/.test(error)), strangers], [[], []])
      }))

    it.effect("a project: renamed, published anew, compared, restored and back, talked about, counted, set, deleted", () =>
      Effect.gen(function*() {
        const { call, errors, open, page, put, read, service, settled, strangers, workspaceId } = yield* signedIn
        yield* Effect.promise(async () => {
          await put("report", "text/plain", "one\ntwo\n")
          await open("/projects/report")
          let changes = 0
          page.on("request", (request) => void (request.method() === "PATCH" && changes++))
          await page.getByRole("button", { name: "report", exact: true }).click()
          await page.getByRole("textbox", { name: "Title" }).fill("Given up")
          await page.keyboard.press("Escape")
          await focused(page.getByRole("button", { name: "report", exact: true }))
          await page.keyboard.press("Enter")
          await page.getByRole("textbox", { name: "Title" }).fill("Quarterly report")
          await page.keyboard.press("Enter")
          await page.getByText("Renamed to Quarterly report").waitFor({ state: "attached" })
          assert.strictEqual(changes, 1)
          assert.strictEqual((await call("GET", "/v1/projects/report")).title, "Quarterly report")
          // Renamed by somebody else while the field is open, it keeps their title unless another one is typed.
          await page.getByTitle("Rename").click()
          await call("PATCH", "/v1/projects/report", { title: "Yearly report" })
          await dropped(page, [["text.txt", "text/plain", "one\nthree\n"]])
          await page.getByText("Version 2 is live").first().waitFor()
          await comesTo(() => page.title(), "Yearly report · svc")
          await page.getByRole("textbox", { name: "Title" }).press("Enter")
          await page.getByRole("button", { name: "Yearly report", exact: true }).click()
          assert.strictEqual((await call("GET", "/v1/projects/report")).title, "Yearly report")
          await page.getByRole("textbox", { name: "Title" }).fill("Quarterly report")
          await page.keyboard.press("Enter")
          await page.getByRole("button", { name: "Quarterly report", exact: true }).waitFor()
          assert.include((await read("report", "/_svc/raw/text.txt")).text, "three")

          await page.getByRole("link", { name: "Versions" }).click()
          await page.getByRole("table").waitFor()
          await comesTo(() => page.title(), "Versions · Quarterly report · svc")
          await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }))
          await page.getByRole("button", { name: "Copy address" }).first().click()
          await page.getByText("does not let us copy").first().waitFor()
          await page.getByRole("button", { name: "Version 2" }).click()
          await page.getByRole("menuitem", { name: "What changed in it" }).click()
          await page.getByText("Added: three").or(page.getByRole("cell", { name: "three" })).first().waitFor()
          await page.getByRole("cell", { name: "two" }).waitFor()
          assert.deepStrictEqual(await page.getByRole("columnheader").allInnerTexts(), ["Line before", "Line after", "Text"])
          await focused(page.getByRole("link", { name: "All versions" }))
          await page.keyboard.press("Enter")
          await page.getByRole("button", { name: "Restore version 1", exact: true }).waitFor()
          await comesTrue(() => page.evaluate(() => document.activeElement?.closest("main") != null))
          // Without the notices that are still shown.
          await page.reload()
          await page.getByRole("button", { name: "Restore version 1", exact: true }).click()
          await page.getByText("Version 1 is live again, as version 3.").first().waitFor()
          assert.strictEqual((await call("GET", "/v1/projects/report")).version, 3)
          await page.getByRole("button", { name: "Undo" }).click()
          await page.getByText("Undone").waitFor({ state: "attached" })
          // The last notice is gone, and the focus is where it was before.
          await focused(page.getByRole("button", { name: "Restore version 1", exact: true }))
          assert.strictEqual((await call("GET", "/v1/projects/report")).version, 4)
          assert.include((await read("report", "/_svc/raw/text.txt")).text, "three")

          // The smallest plan keeps three: the next one costs the oldest, and Undo would cost another.
          await Effect.runPromise(service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE workspaces SET plan = 'starter' WHERE id = ${workspaceId}`)))
          await page.reload()
          await page.getByText("Your plan keeps 3 versions: version 1 makes room for the next one.").waitFor()
          await page.getByRole("button", { name: "Restore version 2", exact: true }).click()
          await page.getByText("Version 2 is live again, as version 5. Version 1 made room for it.").first().waitFor()
          assert.strictEqual(await page.getByRole("button", { name: "Undo" }).count(), 0)
          assert.deepStrictEqual((await call("GET", "/v1/projects/report")).versions.map(({ version }: { version: number }) => version), [5, 4, 3, 2])
          await page.getByText("version 2 makes room for the next one.").waitFor()
          await page.getByRole("button", { name: "Restore version 2", exact: true }).click()
          await page.getByText("Version 2 is live again, as version 6. It is kept only as that now.").first().waitFor()
          // Its row is gone, and the focus is on the one beside it.
          await comesTrue(() => page.evaluate(() => document.activeElement?.closest("table") != null))
          await open("/projects/report/versions?from=1&to=5")
          await page.getByText("That version is not kept").waitFor()
          await page.getByRole("button", { name: "From: Version 1, not kept" }).click()
          await page.getByRole("menuitemradio", { name: "Version 4" }).click()
          await page.getByText("Nothing differs").waitFor()
          await Effect.runPromise(service.inside(SqlClient.SqlClient.use((sql) => sql`UPDATE workspaces SET plan = 'studio' WHERE id = ${workspaceId}`)))

          const [sent, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
          await page.route("**/v1/projects/report/comments", (route) => route.request().method() === "POST" ? (sent.resolve(), taken.promise.then(() => route.fallback())) : route.fallback())
          await page.getByRole("link", { name: "Comments" }).click()
          await page.getByRole("button", { name: "Turn comments on" }).waitFor()
          assert.strictEqual(await page.getByText("what was written is kept").count(), 0)
          await page.getByRole("button", { name: "Turn comments on" }).click()
          await page.getByRole("button", { name: "Comment", exact: true }).waitFor()
          // Shown at once; a comment is accepted once it is saved.
          await settled()
          await page.getByRole("button", { name: "Comment", exact: true }).click()
          const words = page.getByRole("textbox", { name: "A comment about" })
          await words.fill("Looks good.")
          // A press elsewhere ends the renaming, and keeps the focus.
          await page.getByTitle("Rename").click()
          await words.click()
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
          assert.isTrue(await words.evaluate((field) => field === document.activeElement))
          // Loses nothing, and sends it once.
          await page.keyboard.press("Escape")
          await page.keyboard.press("Control+Enter")
          await page.getByRole("button", { name: "Post comment", disabled: true }).waitFor()
          await page.keyboard.press("Control+Enter")
          await sent.promise
          // What is written on while it is sent stays.
          await words.press("End")
          await words.pressSequentially(" And")
          taken.resolve()
          await page.getByRole("list", { name: "Comments" }).getByText("Looks good.", { exact: true }).waitFor()
          assert.strictEqual(await words.inputValue(), "Looks good. And")
          await page.getByRole("button", { name: "Cancel" }).click()
          await focused(page.getByRole("button", { name: "Comment", exact: true }))
          await settled()
          await page.unroute("**/v1/projects/report/comments")
          assert.lengthOf((await call("GET", "/v1/projects/report/comments")).comments, 1)
          await page.getByRole("link", { name: "Comments 1 open" }).waitFor()
          await page.getByRole("button", { name: "Reply to Ada Example" }).click()
          await page.getByRole("textbox", { name: "Your reply" }).fill("Thanks! See https://example.com/plan.")
          await page.getByRole("button", { name: "Reply" }).click()
          const reply = page.getByRole("list", { name: "Replies" }).getByText("Thanks! See https://example.com/plan.")
          assert.strictEqual(await reply.getByRole("link", { name: "https://example.com/plan", exact: true }).getAttribute("href"), "https://example.com/plan")
          await page.getByRole("button", { name: "Comment by" }).first().click()
          await page.getByRole("menuitem", { name: "Edit" }).click()
          await page.getByRole("textbox", { name: "Your comment" }).fill("Looks very good.")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("edited").waitFor()
          await page.getByRole("button", { name: "Turn off mails" }).click()
          await page.getByRole("button", { name: "Turn them on" }).waitFor()
          await clean(page, "comments")
          await page.getByRole("button", { name: "Resolve" }).click()
          await page.getByText("No open comments").waitFor()
          await page.getByRole("radio", { name: "Resolved" }).click()
          await page.getByRole("button", { name: "Reopen the comment by Ada Example" }).click()
          await page.getByText("Nothing is resolved yet").waitFor()
          await page.getByText("Reopened").waitFor({ state: "attached" })
          const [thread] = (await call("GET", "/v1/projects/report/comments")).comments
          assert.deepInclude(thread, { body: "Looks very good.", status: "open", edited: true })
          assert.strictEqual(thread.replies[0].body, "Thanks! See https://example.com/plan.")
          assert.deepStrictEqual(await call("GET", "/v1/projects/report/comment-notifications"), { muted: true })
          await page.getByRole("radio", { name: "All" }).click()
          await page.getByRole("button", { name: "Comment by" }).first().click()
          await page.getByRole("menuitem", { name: "Delete" }).click()
          await page.getByRole("button", { name: "Delete comment" }).click()
          await page.getByText("No comments so far").waitFor()
          assert.deepStrictEqual((await call("GET", "/v1/projects/report/comments")).comments, [])

          await read("report", "/", { "user-agent": "Mozilla/5.0 Firefox/140.0" })
          await page.getByRole("link", { name: "Readers" }).click()
          await page.getByRole("img", { name: "Views and readers" }).or(page.getByText("Nobody has read it")).first().waitFor()
          await page.getByText("Day by day").click()
          await page.getByRole("table", { name: "Readers by day" }).getByRole("columnheader", { name: "Day (UTC)" }).waitFor()
          await page.getByText("A view is one load of a page, and one person is one reader a day. Days are counted in UTC.").waitFor()
          await clean(page, "readers")

          await page.getByRole("link", { name: "Settings" }).click()
          await page.getByRole("switch", { name: "Search engines" }).click()
          await page.getByLabel("Add people by email").fill("dana@northwind.example, lee@agency.example")
          await page.getByRole("button", { name: "Add", exact: true }).click()
          const listed = page.getByRole("list", { name: "Listed people" })
          await listed.getByText("lee@agency.example").waitFor()
          await page.getByRole("button", { name: "Take dana@northwind.example off" }).click()
          await listed.getByText("dana@northwind.example").waitFor({ state: "detached" })
          await page.getByText("dana@northwind.example is off the list.").first().waitFor()
          const until = page.getByLabel("Up until the end of")
          await until.fill("2031-03-14")
          // A refusal is shown beside the day, which stays there.
          await page.route("**/v1/projects/report", (route) =>
            route.request().method() === "PATCH" ? route.fulfill({ status: 422, json: { error: { code: "validation_error", message: "Not that day.", field: "expires_at" } } }) : route.fallback())
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByRole("alert").getByText("Not that day.").waitFor()
          await page.unroute("**/v1/projects/report")
          assert.strictEqual(await until.inputValue(), "2031-03-14")
          // Nor is a year that no date can express.
          await until.fill("20310-03-14")
          assert.isFalse(await until.evaluate((field: HTMLInputElement) => field.checkValidity()))
          await until.fill("2031-03-14")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("It goes down on").waitFor()
          const set = await call("GET", "/v1/projects/report")
          assert.isTrue(set.indexable)
          assert.match(set.expires_at, /^2031-03-1[45]/)
          assert.deepStrictEqual((await call("GET", "/v1/projects/report/comment-allowlist")).emails, ["lee@agency.example"])

          await put("taken", "text/plain", "x")
          // Known before it is sent; what is sent all the same is refused.
          for (const [name, said] of [["taken", "This address is taken."], ["admin", "This name is reserved."], ["svc--x", "Use 3 to 63 of a–z"]] as const) {
            await page.getByLabel("Name in the address").fill(name)
            await page.getByRole("alert").getByText(said).waitFor()
          }
          // What is typed into its middle stays there, in the form that addresses have.
          const name = page.getByLabel("Name in the address")
          await name.fill("taken")
          await name.evaluate((field: HTMLInputElement) => field.setSelectionRange(2, 2))
          await name.pressSequentially("Q 3")
          await comesTo(() => name.inputValue(), "taq-3ken")
          await page.getByLabel("Name in the address").fill("taken")
          await page.getByRole("alert").getByText("This address is taken.").waitFor()
          await page.getByRole("button", { name: "Change address" }).click()
          await page.getByRole("alert").getByText("This address is taken.").waitFor()
          // What somebody else took a moment ago is not also said to be free.
          await page.getByLabel("Name in the address").fill("taken-now")
          await page.getByText(/^taken-now\.\S+ is free\.$/).waitFor()
          await put("taken-now", "text/plain", "x")
          await page.getByRole("button", { name: "Change address" }).click()
          await page.getByRole("alert").getByText("This address is taken.").waitFor()
          assert.strictEqual(await page.getByText(/ is free\.$/).count(), 0)
          await page.getByLabel("Name in the address").fill("annual-report")
          await page.getByText(/^annual-report\.\S+ is free\.$/).waitFor()
          assert.strictEqual(await page.getByRole("alert").count(), 0)
          await page.getByRole("button", { name: "Change address" }).click()
          await page.waitForURL("**/projects/annual-report/settings")
          // First the address changes, then the page shows what is at it.
          await page.locator("a[href='/projects/annual-report/versions']").waitFor()
          assert.deepStrictEqual([(await read("report")).status, (await read("annual-report")).status], [404, 200])
          await page.getByText("The address is now annual-report.").first().waitFor()
          await focused(page.getByLabel("Name in the address"))
          // Taken back from another of its tabs, which stays the one that is shown.
          await page.getByRole("link", { name: "Document", exact: true }).click()
          await page.waitForURL("**/projects/annual-report")
          await page.getByRole("button", { name: "Undo" }).last().click()
          await page.waitForURL("**/projects/report")
          await page.locator("a[href='/projects/report/versions']").first().waitFor()
          assert.deepStrictEqual([(await read("report")).status, (await read("annual-report")).status], [200, 404])
          // So does one that is opened while the answer is on its way.
          await page.getByRole("link", { name: "Settings", exact: true }).click()
          await page.getByLabel("Name in the address").fill("annual-report")
          let answer = () => {}
          const late = new Promise<void>((resolve) => {
            answer = resolve
          })
          await page.route("**/v1/projects/report", (route) => route.request().method() === "PATCH" ? late.then(() => route.continue()) : route.continue())
          await page.getByRole("button", { name: "Change address" }).click()
          await page.getByRole("link", { name: "Versions", exact: true }).click()
          await page.waitForURL("**/projects/report/versions")
          answer()
          await page.waitForURL("**/projects/annual-report/versions")
          await page.getByRole("link", { name: "Settings", exact: true }).click()
          await page.waitForURL("**/projects/annual-report/settings")
          await page.locator("a[href='/projects/annual-report/versions']").waitFor()
          await page.getByRole("button", { name: "Delete project" }).click()
          const asked = page.getByRole("alertdialog", { name: "Delete “Quarterly report”?" })
          await asked.getByText("stays yours for 30 days").waitFor()
          const [kept] = await Promise.all([page.waitForEvent("download"), asked.getByRole("link", { name: "Download it first" }).click()])
          assert.match(kept.suggestedFilename(), /^annual-report.*\.zip$/)
          await clean(page, "before it is deleted")
          await asked.getByRole("button", { name: "Delete project" }).click()
          await page.getByRole("heading", { name: "Library", exact: true }).waitFor()
          assert.strictEqual(new URL(page.url()).searchParams.get("workspace"), workspaceId)
          assert.strictEqual((await read("annual-report")).status, 404)
          await open("/projects/annual-report")
          await comesTo(() => page.title(), "There is no such page · svc")
        })
        assert.deepStrictEqual([errors.filter((error) => !/404|409|422/.test(error)), strangers], [[], []])
      }))

    it.effect("words that run from the right do: titles, comments and what is written", () =>
      Effect.gen(function*() {
        const { call, errors, open, page, put } = yield* signedIn
        const [title, said] = ["דוח svc לרבעון!", "נראה טוב ב־svc!"]
        yield* Effect.promise(async () => {
          await put("from-right", "text/plain", "one\n")
          await call("PATCH", "/v1/projects/from-right", { title, comments_enabled: true })
          await call("POST", "/v1/projects/from-right/comments", { body: said })
          await open("/projects/from-right/comments")
          const comment = page.getByRole("list", { name: "Comments" }).getByRole("paragraph").filter({ hasText: said })
          await comment.waitFor()
          await page.getByRole("button", { name: "Reply" }).click()
          const words = page.getByRole("textbox", { name: "Your reply" })
          await words.fill(said)
          if (process.env["SHOTS"] !== undefined) await page.screenshot({ path: `${process.env["SHOTS"]}/from-right-app.png` })
          assert.strictEqual(await words.evaluate((area) => getComputedStyle(area).unicodeBidi), "plaintext")
          assert.deepStrictEqual([await runsFromRight(comment), await runsFromRight(page.getByRole("heading", { level: 1 }))], [true, true])
          await open("/")
          const card = page.getByRole("heading", { name: title })
          await card.waitFor()
          if (process.env["SHOTS"] !== undefined) await page.screenshot({ path: `${process.env["SHOTS"]}/from-right-library.png` })
          assert.isTrue(await runsFromRight(card))
          // It begins where all the other titles do, and where there is no room, its end is what is cut off.
          const free = (words: Locator) => words.evaluate((box) => {
            const range = document.createRange()
            range.selectNodeContents(box)
            return Math.round(range.getBoundingClientRect().left - box.getBoundingClientRect().left)
          })
          assert.strictEqual(await free(card), 0)
          await page.keyboard.press("Control+k")
          await page.getByPlaceholder("Find a project").fill("from-right")
          await comesTrue(() => runsFromRight(page.getByRole("option").getByText(title)))
          // In a sentence too, which goes on from the left after it.
          await open("/projects/from-right/settings")
          await page.getByRole("button", { name: "Delete project" }).click()
          assert.strictEqual(await page.getByRole("alertdialog").getByRole("heading").textContent(), `Delete “\u2068${title}\u2069”?`)
          await open("/projects/from-right")
          const named = page.locator("bdi", { hasText: title })
          await named.waitFor()
          await comesTrue(() => runsFromRight(named))
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("says that nothing can be saved while offline, and recovers uploads and screens once the connection is back, with reduced motion too", () =>
      Effect.gen(function*() {
        const { call, errors, open, page, put } = yield* signedIn
        yield* Effect.promise(async () => {
          await put("still", "text/plain", "x")
          await page.emulateMedia({ reducedMotion: "reduce" })
          await open("/projects/still/share")
          await page.getByRole("dialog").waitFor()
          assert.isBelow(await page.getByRole("dialog").evaluate((box) => parseFloat(getComputedStyle(box).animationDuration)), 0.001)
          await isIn(page)
          await page.keyboard.press("Escape")
          await page.getByRole("dialog").waitFor({ state: "detached" })
          await page.context().setOffline(true)
          await page.getByText("You are offline").waitFor()
          await dropped(page, [["late.txt", "text/plain", "late"]])
          await page.getByRole("button", { name: "Try again" }).waitFor()
          await page.context().setOffline(false)
          await page.getByText("You are offline").waitFor({ state: "detached" })
          await page.getByRole("button", { name: "Try again" }).click()
          await page.getByText("Version 2 is live").first().waitFor()
          // A screen that is not loaded yet arrives once the connection is back.
          await page.context().setOffline(true)
          await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Workspace" }).click()
          await page.getByRole("heading", { name: "svc cannot be reached" }).waitFor()
          await page.context().setOffline(false)
          await page.getByRole("link", { name: "Members" }).waitFor()
          // So does what was changed elsewhere meanwhile, on one that is.
          await open("/projects/still")
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
          await page.clock.setSystemTime(await page.evaluate(() => Date.now() + 120_000))
          await page.context().setOffline(true)
          await page.getByText("You are offline").waitFor()
          await call("PATCH", "/v1/projects/still", { title: "Changed meanwhile" })
          await page.context().setOffline(false)
          await page.getByRole("heading", { level: 1, name: "Changed meanwhile" }).waitFor()
        })
        assert.deepStrictEqual(errors.filter((error) => !/ERR_INTERNET_DISCONNECTED/.test(error)), [])
      }))
  })
})
