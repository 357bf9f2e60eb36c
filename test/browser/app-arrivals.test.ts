/** Dropping and pasting into the library, and what the library reports; what was published is read back over HTTP. */
import { assert, describe, layer } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { dropped, signedInPage } from "../support/app.ts"
import { executable, hasChromium } from "../support/browser.ts"
import { Service, serviceWith } from "../support/service.ts"

const signedIn = Effect.gen(function*() {
  const service = yield* Service
  const seen = yield* signedInPage()
  const { bearer } = seen.account
  // oxlint-disable-next-line typescript/no-explicit-any -- read back and compared as it came
  const projects = async (): Promise<ReadonlyArray<any>> => {
    await seen.settled()
    return (await Effect.runPromise(service.ask("/v1/projects", { headers: bearer }))).json.projects
  }
  return { ...seen, projects, arrivals: seen.page.getByRole("list", { name: "Publishing" }) }
})

describe.skipIf(!hasChromium)(`what arrives in the library (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("several files side by side are a document each, but for what is one together", () =>
      Effect.gen(function*() {
        const { arrivals, errors, open, page, projects } = yield* signedIn
        yield* Effect.promise(async () => {
          await open("/")
          const chooser = page.waitForEvent("filechooser")
          await page.getByRole("button", { name: "Publish a folder" }).click()
          assert.strictEqual(await (await chooser).element().getAttribute("aria-label"), "Folder to publish")
          await dropped(page, [["minutes.md", "text/markdown", "# Minutes"], ["agenda.md", "text/markdown", "# Agenda"]])
          for (const title of ["Minutes", "Agenda"]) await arrivals.getByText(`${title} is live`).waitFor()
          await dropped(page, [["trip.md", "text/markdown", "# Trip\n\n![](map.png)"], ["map.png", "image/png", "no map"]])
          await arrivals.getByText("Trip is live").waitFor()
          await dropped(page, [["deck.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "slides\0"]])
          await arrivals.getByRole("alert").waitFor()
          // On a phone, an address goes on in the next line from one of its parts.
          await page.setViewportSize({ width: 390, height: 844 })
          const lines = await arrivals.getByRole("link", { name: /^http/ }).first().evaluate((link) =>
            [...link.childNodes].filter((one) => one instanceof Text).map((one) => {
              const range = document.createRange()
              range.selectNode(one)
              return range.getClientRects().length
            }))
          assert.deepStrictEqual([...new Set(lines)], [1])
          // And whatever became of it, its buttons begin where its words do, and it is put away at the edge above.
          const rows = await arrivals.getByRole("listitem").evaluateAll((all) => all.map((row) => {
            const [words, away, ...buttons] = ["p", "[title='Put away']", "button:not([title])"].flatMap((what) => [...row.querySelectorAll(what)].slice(0, 1)).map((one) => one.getBoundingClientRect())
            return [away!.left > words!.right && away!.top < words!.bottom, buttons.every(({ left }) => left === words!.left)]
          }))
          assert.deepStrictEqual(rows, rows.map(() => [true, true]))
          assert.deepStrictEqual(
            (await projects()).map(({ file_count, title }) => [title, file_count]).sort(),
            [["Agenda", 1], ["Minutes", 1], ["Trip", 2]]
          )
          // A keyboard user sees where they are: the focus ring is around everything that a key opens.
          const focused = () => page.evaluate(() => {
            const { outlineOffset, outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!, "::after")
            return [outlineStyle, outlineWidth, outlineOffset]
          })
          for (const shown of ["cards", "a list"]) {
            await page.getByRole("list", { name: "Projects" }).getByRole("button", { name: "More about Trip" }).focus()
            await page.keyboard.press("Shift+Tab")
            assert.deepStrictEqual(await focused(), ["solid", "2px", "-2px"], shown)
            if (shown === "cards") await page.getByRole("button", { name: "Show as a list" }).click()
          }
        })
        assert.deepStrictEqual(errors.filter((error) => !/422/.test(error)), [])
      }))

    it.effect("a text is one, whatever its name makes the system think of it", () =>
      Effect.gen(function*() {
        const { arrivals, errors, open, page, projects } = yield* signedIn
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await dropped(page, [["main.ts", "video/mp2t", "export const one = 1\n"], ["rows.tsv", "text/tab-separated-values", "a\tb\n"], ["site.yaml", "application/yaml", "a: 1\n"]])
          await arrivals.getByText("is live").nth(2).waitFor()
          // Nothing in them names them: their rows tell them apart by their files.
          for (const name of ["main", "rows", "site"]) await arrivals.getByText(new RegExp(`^${name}.* is live$`)).waitFor()
          await dropped(page, [["look.css", "text/css", "a { color: red }\n"]])
          await arrivals.getByText("is live").nth(3).waitFor()
          const all = await projects()
          assert.deepStrictEqual(all.map(({ kind }) => kind).toSorted(), ["data", "text", "text", "text"])
          // Also as the next version of a project.
          await open(`/projects/${all.find(({ kind }) => kind === "text")!.slug}`)
          await page.getByRole("link", { name: "Versions" }).waitFor()
          await dropped(page, [["main.ts", "video/mp2t", "export const two = 2\n"]])
          await page.getByText("Version 2 is live").first().waitFor()
          assert.strictEqual((await projects()).filter(({ kind }) => kind === "text").length, 3)
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("what it names and does not hold is told with what to do, until it is published again with it", () =>
      Effect.gen(function*() {
        const { arrivals, errors, open, page } = yield* signedIn
        const said = "It names a file that is not there: \"map.png\". Readers see a gap in its place: publish it again together with that file."
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await dropped(page, [["trip.md", "text/markdown", "# Trip\n\n![](map.png)"]])
          await arrivals.getByText(said).waitFor()
          await arrivals.getByRole("link", { name: "Open", exact: true }).click()
          await page.getByRole("link", { name: "Versions" }).waitFor()
          await page.getByText(said).waitFor()
          await dropped(page, [["trip.md", "text/markdown", "# Trip\n\n![](map.png)"], ["map.png", "image/png", "no map"]])
          await arrivals.getByText("Version 2 is live").waitFor()
          await page.getByText(said).waitFor({ state: "detached" })
          // Said once where the upload says it.
          await dropped(page, [["trip.md", "text/markdown", "# Trip, anew\n\n![](map.png) ![](gone.png)"], ["map.png", "image/png", "no map"]])
          await arrivals.getByText(said.replace("map.png", "gone.png")).waitFor()
          await page.getByText("Version 3 is live").waitFor()
          assert.strictEqual(await page.getByText("not there").count(), 1)
          await dropped(page, [["trip.md", "text/markdown", "# Trip, once more\n\n![](lost.png) ![](gone.png)"]])
          await arrivals.getByText("Readers see gaps in their places: publish it again together with those files.").waitFor()
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("a published project shows who can open it now; a pasted one can be taken back", () =>
      Effect.gen(function*() {
        const { account, arrivals, errors, open, page, projects } = yield* signedIn
        yield* (yield* Service).ask("/v1/folders", { json: { name: "Mine", sharing: "private" }, headers: account.bearer })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await dropped(page, [["kept.md", "text/markdown", "# Kept"]])
          await arrivals.getByText("Anyone with this address can open it.").waitFor()
          await arrivals.getByRole("link", { name: "Change" }).click()
          await page.getByRole("radio", { name: "Only people you choose" }).click()
          // Neither a paste nor a drop is meant for what a dialog covers.
          await dropped(page, [["slip.md", "text/markdown", "# Slip"]])
          await page.evaluate(() => {
            const clipboardData = new DataTransfer()
            clipboardData.items.add(new File(["# Slip"], "slip.md", { type: "text/markdown" }))
            dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
          })
          await page.keyboard.press("Escape")
          await page.getByRole("link", { name: "Library" }).first().click()
          await arrivals.getByText("Opens only for members and people you give a link.").waitFor()
          await page.getByRole("button", { name: "More about Kept" }).click()
          await page.getByRole("menuitem", { name: "Move to a folder" }).click()
          await page.getByRole("dialog").getByRole("button", { name: "Mine" }).click()
          await arrivals.getByText("Opens only for you and people you give a link.").waitFor()
          assert.strictEqual(await arrivals.getByRole("button", { name: "Take it back" }).count(), 0)

          const paste = (words: string) => page.evaluate((words) => {
            const clipboardData = new DataTransfer()
            clipboardData.setData("text/plain", words)
            dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
          }, words)
          await paste("# By mistake\n\nNobody's business")
          await arrivals.getByText("By mistake is live").waitFor()
          assert.lengthOf(await projects(), 2)
          await arrivals.getByRole("button", { name: "Take it back" }).click()
          await page.getByText("Taken back.").first().waitFor()
          await arrivals.getByText("By mistake").waitFor({ state: "detached" })
          await page.getByRole("heading", { name: "By mistake" }).waitFor({ state: "detached" })
          assert.deepStrictEqual((await projects()).map(({ title, version, visibility }) => [title, version, visibility]), [["Kept", 1, "private"]])

          // While a machine sleeps, its timers stand still.
          await paste("# Overnight\n\nOthers use it by now")
          await arrivals.getByText("Overnight is live").waitFor()
          await arrivals.getByRole("button", { name: "Take it back" }).waitFor()
          await page.clock.setSystemTime(Date.now() + 9 * 60 * 60_000)
          await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
          await arrivals.getByRole("button", { name: "Take it back" }).waitFor({ state: "detached" })
          await arrivals.getByText("Overnight is live").waitFor()
        })
        assert.deepStrictEqual(errors, [])
      }))

    it.effect("a refusal says what to do: another plan, another form of the file", () =>
      Effect.gen(function*() {
        const { account: { workspaceId }, arrivals, errors, open, page, projects } = yield* signedIn
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          const deck = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
          await dropped(page, [["deck.PPTX", deck, "slides\0"], ["sound.mp3", "audio/mpeg", "a song\0"]])
          await arrivals.getByRole("alert").getByText("svc cannot show .pptx files. Save it as PDF, then publish that.", { exact: true }).waitFor()
          await arrivals.getByRole("alert").getByText("svc cannot show .mp3 files. Sound is for sites").waitFor()

          // A notebook as it is exported: its page is made the first one.
          const folder = join(mkdtempSync(join(tmpdir(), "export-")), "Churn")
          mkdirSync(join(folder, "report_files"), { recursive: true })
          writeFileSync(join(folder, "report.html"), "<!doctype html><title>Churn in Q3</title><link rel=stylesheet href=report_files/a.css>")
          writeFileSync(join(folder, "report_files", "a.css"), "p{}")
          await page.getByLabel("Folder to publish").setInputFiles(folder)
          await arrivals.getByRole("button", { name: "Begin with report.html" }).click()
          await arrivals.getByText("Churn in Q3 is live").waitFor()
          rmSync(dirname(folder), { recursive: true })
          assert.deepStrictEqual((await projects()).map(({ file_count, kind, title }) => [title, kind, file_count]), [["Churn in Q3", "site", 2]])

          // A folder that changes while it is read.
          await page.evaluate(() => {
            const { webkitGetAsEntry } = DataTransferItem.prototype
            DataTransferItem.prototype.webkitGetAsEntry = () => {
              Object.assign(DataTransferItem.prototype, { webkitGetAsEntry })
              return { isFile: true, name: "gone", file: (_: unknown, refuse: (why: unknown) => void) => refuse(new DOMException("gone", "NotFoundError")) } as unknown as FileSystemEntry
            }
          })
          await dropped(page, [["gone", "", ""]])
          await page.getByText("Not everything in it could be read, so nothing was published.").first().waitFor()

          // Signed in again in another tab meanwhile: sent once more, with the token of now.
          const stale = { code: "forbidden", message: "The check against forged requests failed.", field: null, details: { reason: "csrf" } }
          await page.route("**/v1/projects", (route) => route.fulfill({ status: 403, json: { error: stale } }), { times: 1 })
          await dropped(page, [["twice.md", "text/markdown", "# Sent twice"]])
          await arrivals.getByText("Sent twice is live").waitFor()

          // What was too much a moment ago need not be chosen again.
          const busy = { code: "rate_limited", message: "Too many requests. Try again in 40 seconds.", field: null, details: {} }
          await page.route("**/v1/projects", (route) => route.fulfill({ status: 429, json: { error: busy } }), { times: 1 })
          await dropped(page, [["busy.md", "text/markdown", "# Sent later"]])
          await arrivals.getByRole("listitem").filter({ hasText: "busy.md could not be published" }).getByRole("button", { name: "Try again" }).click()
          await arrivals.getByText("Sent later is live").waitFor()

          for (const [status, code] of [[402, "quota_exceeded"], [413, "upload_too_large"]] as const) {
            const error = { code, message: "That is more than this plan holds.", field: "storage", details: {} }
            await page.route("**/v1/projects", (route) => route.fulfill({ status, json: { error } }), { times: 1 })
            await dropped(page, [[`${code}.md`, "text/markdown", "# Large"]])
            await arrivals.getByRole("listitem").filter({ hasText: `${code}.md could not be published` }).getByRole("link", { name: "See your plan" }).waitFor()
          }
          await arrivals.getByRole("link", { name: "See your plan" }).first().click()
          await page.getByRole("heading", { name: "What is used" }).waitFor()
          assert.match(page.url(), new RegExp(`/workspace/billing\\?workspace=${workspaceId}$`))
          // Nor do the files, once there is room for them.
          await page.goBack()
          await arrivals.getByRole("listitem").filter({ hasText: "quota_exceeded.md could not be published" }).getByRole("button", { name: "Try again" }).click()
          await arrivals.getByText("Large is live").waitFor()
        })
        assert.deepStrictEqual(errors.filter((error) => !/402|403|413|422|429/.test(error)), [])
      }))
  })
})
