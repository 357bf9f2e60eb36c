/** The clock of a running service moved forward and back by up to a year: what has an end ends and is valid again, by the facts alone. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { cookiesOf } from "../test/support/ask.ts"
import { comesIn, elsewhere } from "../test/support/newcomers.ts"
import { eventually, newFolder } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import type { Ground } from "./ground.ts"
import type { Row } from "./report.ts"
import { held } from "./traffic.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** Enough for twelve timetables on a machine that is busy with other work. */
const PATIENCE_SECONDS = 120

/** A client without a User-Agent is no reader, and no link opens for it. */
const READER = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" }

const MOVES: ReadonlyArray<readonly [what: string, by: number]> = [
  ["not yet", 0], ["on by 20 minutes", 20 * MINUTE], ["back to now", 0], ["on by 2 days", 2 * DAY], ["on by 8 days", 8 * DAY], ["on by 31 days", 31 * DAY],
  ["on by 38 days", 38 * DAY], ["on by a year", 365 * DAY], ["back to now", 0], ["back by a day", -DAY], ["on by a year", 365 * DAY], ["back to now", 0]
]

/** What a clock that was a year ahead leaves behind in workers and in limits, once it is set back. */
const ahead = async ({ cluster, post, start }: Ground, program: Program, times: number, move: (by: number, ...programs: ReadonlyArray<Program>) => Promise<void>): Promise<Row> => {
  const worker = await start({ SVC_ROLE: "worker" })
  const [back, wrong]: [Array<number>, Array<string>] = [[], []]
  const turns = async () => (await cluster.statement<{ name: string; hours: number }>(
    `SELECT entity_type AS name, min(deliver_at / 3600000.0 - extract(epoch FROM now()) / 3600)::float8 AS hours
     FROM cluster_messages WHERE entity_type LIKE 'ClusterCron/%' AND NOT processed GROUP BY 1`))
  const known = new Set<string>()
  /** Waits until every timetable's next turn lies so many days from now; names those that do not, or that have none any more. */
  const inDays = async (what: string, from: number, to: number) => {
    const off = async () => {
      const found = new Map((await turns()).map(({ hours, name }) => [name, hours / 24]))
      for (const name of found.keys()) known.add(name)
      return [...known].flatMap((name) => {
        const days = found.get(name)
        return days === undefined ? [`${name} never`] : days < from || days >= to ? [`${name} in ${days.toFixed(2)} days`] : []
      })
    }
    await eventually(what, async () => (await off()).length === 0 && known.size > 0, PATIENCE_SECONDS).catch(async ({ message }: Error) => {
      throw new Error(`${message}: ${(await off()).join(", ")}`)
    })
  }
  const guess = async () => (await program.ask("/v1/auth/login", { json: { email: "nobody@example.com", password: "wrong, and wrong again" }, headers: { "x-forwarded-for": "10.8.0.1" } }))
  const letter = async (email: string) => {
    await program.ask("/v1/auth/signup", { json: { email, password: "correct horse battery staple" }, headers: elsewhere() })
    await eventually(`the letter to ${email}`, () => post.lettersTo(email).length > 0, 60)
  }
  await inDays("everything that runs by the hour has its turn", -1, 2)
  for (let time = 1; time <= times; time++) {
    await move(365 * DAY, program, worker)
    await held(wrong, () => letter(`ahead-${time}@example.com`))
    for (let tries = 1; (await guess()).status !== 429; tries++) if (tries === 30) throw new Error("guessing is never refused")
    await held(wrong, () => inDays("everything that runs by the hour has run a year ahead", 364, 367))
    await move(0, program, worker)
    const began = performance.now()
    await held(wrong, () => letter(`back-${time}@example.com`))
    await held(wrong, () => inDays("everything that runs by the hour has a turn within two days again", -1, 2))
    back.push(performance.now() - began)
    const refused = await guess()
    const seconds = Number(refused.headers["retry-after"] ?? 0)
    if (seconds > 3600) wrong.push(`tries are refused for ${seconds} s`)
  }
  await worker.end()
  return {
    course: "clock", fault: `a year ahead and set back, ${times} times, with a worker at work`,
    meanwhile: `${known.size} timetables, letters and limits: all by the right clock again`, wrong, back
  }
}

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
  // A worker would rightly sweep what is over by the moved clock; this is about the instance that decides.
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
  const move = async (by: number, ...programs: ReadonlyArray<Program>) => {
    writeFileSync(file, String(by))
    await Promise.all(programs.map(async ({ pid, stdout }) => {
      const heard = () => stdout().split("clock moved").length
      const before = heard()
      process.kill(pid, "SIGUSR2")
      await eventually("the clock is moved", () => heard() > before)
    }))
  }
  const wrong: Array<string> = []
  const moves = quick ? MOVES.slice(0, 9) : [...MOVES, ...MOVES]
  for (const [what, by] of moves) {
    tell(what)
    await move(by, program)
    for (const [fact, lasts, holds] of facts) {
      const held = await holds()
      if (held !== by < lasts) wrong.push(`${what}: ${fact} ${held ? "holds" : "does not hold"}`)
    }
    const ready = await program.ask("/readyz")
    if (ready.status !== 200) wrong.push(`${what}: /readyz ${ready.text}`)
  }
  tell("a year ahead, with a worker at work")
  const worked = await ahead(ground, program, quick ? 1 : 3, move)
  return [worked, { course: "clock", fault: `moved ${moves.length} times, by up to a year, on and back`, meanwhile: `${facts.length} facts asked after each: ${facts.map(([fact]) => fact).join(", ")}`, wrong, back: [] }]
}
