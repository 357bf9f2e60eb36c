/** What was not meant to be published, or not like that: pasted, too much at once, deleted or called otherwise meanwhile. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dropped, signedInPage } from "../support/app.ts"
import { comesTo, comesTrue, executable, hasChromium } from "../support/browser.ts"
import { pngOf } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"

describe.skipIf(!hasChromium)(`pasted into the app (${executable})`, () => {
  layer(serviceWith(), { excludeTestServices: true })((it) => {
    it.effect("copied cells are data and no picture of themselves; what is pasted onto a project can be taken back; what is deleted or called otherwise leads nowhere else", () =>
      Effect.gen(function*() {
        const { account, errors, open, page, settled } = yield* signedInPage()
        const service = yield* Service
        const arrivals = page.getByRole("list", { name: "Publishing" })
        const projects = async () => {
          await settled()
          return (await Effect.runPromise(service.ask("/v1/projects", { headers: account.bearer }))).json.projects as ReadonlyArray<{ readonly kind: string; readonly size_bytes: number; readonly slug: string; readonly version: number }>
        }
        const PNG = pngOf(4, 4, [200, 30, 30], [30, 30, 200]).toString("base64")
        /** As an office program fills the clipboard, which puts a picture beside what was copied; without text, as a screenshot does. */
        const paste = (text?: string) => page.evaluate(({ png, text }) => {
          const clipboardData = new DataTransfer()
          if (text !== undefined) clipboardData.setData("text/plain", text)
          clipboardData.items.add(new File([Uint8Array.from(atob(png), (sign) => sign.charCodeAt(0))], "image.png", { type: "image/png" }))
          dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }))
          // As browsers do once the event is over.
          clipboardData.items.clear()
        }, { png: PNG, text })
        yield* Effect.promise(async () => {
          await open("/")
          await page.getByText("Drop a document here").waitFor()
          await paste("Name\tPrice\r\nBolt, small\t0.20\r\n")
          await arrivals.getByText("is live").waitFor()
          const [table] = await projects()
          assert.deepInclude(table, { kind: "data", size_bytes: 30 })
          // As the library calls it.
          await arrivals.getByText(`${table!.slug} is live`).waitFor()

          await open(`/projects/${table!.slug}`)
          await page.getByRole("button", { name: "Publish a new version" }).waitFor()
          await paste("Name\tPrice\r\nBolt, large\t0.40\r\n")
          await paste()
          await arrivals.getByText("Version 2 is live").waitFor()
          assert.strictEqual((await projects())[0]!.kind, "image")
          await arrivals.getByRole("button", { name: "Take it back" }).click()
          await page.getByText("Taken back: what was there before is live again, as version 3.").first().waitFor()
          await arrivals.waitFor({ state: "detached" })
          assert.deepStrictEqual((await projects()).map(({ kind, version }) => [kind, version]), [["data", 3]])

          // More than a few at once wait for each other.
          await open("/")
          await page.getByRole("button", { name: "More about" }).waitFor()
          const held: Array<() => void> = []
          await page.route("**/v1/projects", async (route) => {
            if (route.request().method() === "POST") await new Promise<void>((resolve) => held.push(resolve))
            await route.continue()
          })
          await dropped(page, Array.from({ length: 6 }, (_, at) => [`one-${at}.md`, "text/markdown", `# Number ${at}`]))
          await comesTo(() => arrivals.getByRole("button", { name: "Cancel" }).count(), 6)
          await comesTo(async () => held.length, 3)
          await arrivals.getByRole("listitem").filter({ hasText: "one-5.md" }).getByRole("button", { name: "Cancel" }).click()
          await page.waitForTimeout(300)
          assert.lengthOf(held, 3)
          await comesTrue(async () => {
            held.splice(0).forEach((goes) => goes())
            return await arrivals.getByText("is live").count() === 5
          })
          await page.unroute("**/v1/projects")

          await arrivals.getByRole("listitem").filter({ hasText: "Number 1 is live" }).getByRole("link", { name: "Open", exact: true }).click()
          await page.getByRole("link", { name: "Settings" }).click()
          await page.getByLabel("Name in the address").fill("called-otherwise")
          await page.getByRole("button", { name: "Change address" }).click()
          await page.waitForURL("**/projects/called-otherwise/settings")
          await page.getByRole("link", { name: "Library" }).first().click()
          await arrivals.getByText(/called-otherwise\./).waitFor()
          await page.getByRole("button", { name: "More about Number 2" }).click()
          await page.getByRole("menuitem", { name: "Delete" }).click()
          await page.getByRole("alertdialog").getByRole("button", { name: "Delete project" }).click()
          await arrivals.getByText("Number 2 is live").waitFor({ state: "detached" })
          await comesTo(() => arrivals.getByText("is live").count(), 4)
        })
        assert.deepStrictEqual(errors, [])
      }))
  })
})
