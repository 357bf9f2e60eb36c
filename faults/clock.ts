/** The clock of a running service moved on and back by up to a year: what has an end ends and is there again, by the facts alone. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { cookiesOf } from "../test/support/ask.ts"
import { comesIn, elsewhere } from "../test/support/newcomers.ts"
import { eventually, newFolder } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Whoever gives no name is no reader, and a link is not opened for it. */
const READER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

const MOVES: ReadonlyArray<readonly [what: string, by: number]> = [
  ["on by 20 minutes", 20 * MINUTE], ["back to now", 0], ["on by 2 days", 2 * DAY], ["on by 8 days", 8 * DAY], ["on by 31 days", 31 * DAY],
  ["on by 38 days", 38 * DAY], ["on by a year", 365 * DAY], ["back to now", 0], ["back by a day", -DAY], ["on by a year", 365 * DAY], ["back to now", 0]
]

export const clock: Fault = async ({ quick, tell }) => {
  const file = join(newFolder(), "moved-by")
  writeFileSync(file, "0")
  const ground = await openGround({
    SVC_TRIAL: "enforced",
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "clock-moved.mjs")).href}`,
    CLOCK_MOVED_BY: file
  })
  const program = await ground.start({ SVC_ROLE: "http" })
  const worker = await ground.start({ SVC_ROLE: "worker" })
  const ada = await comesIn(program, ground.post, "ada")
  // Whoever works would rightly sweep what is over by the moved clock; asked here is who decides.
  await worker.end()

  const succeeded = async (path: string, method: string, question: object) => {
    const answer = await program.ask(path, { method, ...question, headers: { ...ada.bearer, ...(method === "PUT" && { "content-type": "text/html" }) } })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer
  }
  await succeeded("/v1/projects/shared", "PUT", { body: "<h1>Here</h1>" })
  await succeeded("/v1/projects/shared", "PATCH", { json: { visibility: "private" } })
  await succeeded("/v1/projects/open", "PUT", { body: "<h1>Here</h1>" })
  const { json: link } = await succeeded("/v1/projects/shared/share-links", "POST", { json: { label: "a day", expires_in_days: 1 } })
  const { json: device } = await program.ask("/v1/auth/device", { method: "POST", headers: elsewhere() })
  const opening = () => program.ask(`/_svc/gate/share?t=${link.token as string}`, { host: "shared.svc.localhost", headers: READER })
  const cookie = cookiesOf(await opening())
  const at = async (slug: string, headers = {}) => (await program.ask("/", { host: `${slug}.svc.localhost`, headers: { ...READER, ...headers } })).status

  const facts: ReadonlyArray<readonly [what: string, lasts: number, holds: () => Promise<boolean>]> = [
    ["a device's code", 15 * MINUTE, async () => (await program.ask("/v1/auth/device/token", { json: { device_code: device.device_code as string } })).status !== 401],
    ["a share link of a day", DAY, async () => cookiesOf(await opening()).includes("svc_gate")],
    ["the pass it gave", DAY, async () => (await at("shared", { cookie })) === 200],
    ["the trial", 7 * DAY, async () => (await program.ask(`/v1/billing/subscription?workspace=${ada.workspace}`, { headers: ada.bearer })).json.state === "trialing"],
    ["publishing", 7 * DAY, async () => (await program.ask("/v1/projects/open", { method: "PUT", body: `<h1>${Math.random()}</h1>`, headers: { ...ada.bearer, "content-type": "text/html" } })).status === 200],
    ["a session", 30 * DAY, async () => (await program.ask("/v1/me", { headers: { cookie: ada.session.cookie } })).status === 200],
    ["links after a lapse", 37 * DAY, async () => (await at("open")) === 200],
    ["a token without an end", Number.POSITIVE_INFINITY, async () => (await program.ask("/v1/me", { headers: ada.bearer })).status === 200]
  ]
  const heard = () => program.stdout().split("clock moved").length
  const wrong: Array<string> = []
  const moves = quick ? MOVES.slice(0, 8) : [...MOVES, ...MOVES]
  for (const [what, by] of moves) {
    tell(what)
    writeFileSync(file, String(by))
    const before = heard()
    process.kill(program.pid, "SIGUSR2")
    await eventually("the clock is moved", () => heard() > before)
    for (const [fact, lasts, holds] of facts) {
      const held = await holds()
      if (held !== by < lasts) wrong.push(`${what}: ${fact} ${held ? "holds" : "does not hold"}`)
    }
    const ready = await program.ask("/readyz")
    if (ready.status !== 200) wrong.push(`${what}: /readyz ${ready.text}`)
  }
  return [{ course: "clock", fault: `moved ${moves.length} times, by up to a year, on and back`, meanwhile: `${facts.length} facts asked after each: ${facts.map(([fact]) => fact).join(", ")}`, wrong, back: [] }]
}
