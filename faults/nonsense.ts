/**
 * What nobody should send, to everything that answers: operations of the API, tools of agents, forms, the hosts of projects, with
 * values, headers and bodies that are wrong by chance. Each has to be answered soon, as the contract says, and never as our own failure.
 */
import { setTimeout as wait } from "node:timers/promises"
import { atEnd } from "../bench/closing.ts"
import type { Answer } from "../test/support/ask.ts"
import { CLIENT, openProvider } from "../test/support/identity-provider.ts"
import type { PostOffice } from "../test/support/post-office.ts"
import { newFolder } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import { openStripe } from "../test/support/stripe.ts"
import { unbalanced } from "./balances.ts"
import { chance } from "./chance.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { someAsking } from "./nonsense/askings.ts"
import type { Asking, Tool } from "./nonsense/askings.ts"
import { newAsker } from "./nonsense/people.ts"
import { faultOf } from "./nonsense/verdicts.ts"

const LATE_MS = 20_000
/** Requests of one asker, who by then has deleted, renamed or left some of what they ask for. */
const PATIENCE = 400

/** `NONSENSE_SEED`: the first asker's; the others have those that follow. */
const FIRST = Number(process.env["NONSENSE_SEED"] ?? 1)

const shown = ({ door, path, question }: Asking): string =>
  `${door.via}${door.via === "tool" ? ` ${door.tool.name}` : ""} ${question.method} ${path.slice(0, 160)} ${JSON.stringify(question.headers).slice(0, 300)} ${String(question.body ?? "").slice(0, 300)}`

const toolsOf = async (program: Program, bearer: Readonly<Record<string, string>>): Promise<ReadonlyArray<Tool>> => {
  const { text } = await program.ask("/mcp", { headers: { accept: "application/json, text/event-stream", ...bearer }, json: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} } })
  return JSON.parse(/^data: (.*)$/m.exec(text)![1]!).result.tools
}

const asks = async (program: Program, post: PostOffice, seed: number, length: number) => {
  const dice = chance(seed)
  const wrong: Array<string> = []
  const counts = { granted: 0, refused: 0, limited: 0, askers: 0 }
  for (let asked = 0; asked < length;) {
    const asker = await newAsker(program, post, `asker-${seed}-${++counts.askers}`)
    const tools = await toolsOf(program, asker.person.bearer)
    for (const until = Math.min(asked + PATIENCE, length); asked < until; asked++) {
      const asking = someAsking(asker, tools, dice)
      const answer: Answer | string = await Promise.race([
        program.ask(asking.path, asking.question).catch((cause: unknown) => String(cause)),
        wait(LATE_MS, `nothing after ${LATE_MS / 1000} s`, { ref: false })
      ])
      const fault = typeof answer === "string" ? answer : faultOf(asking, answer)
      if (fault !== undefined) wrong.push(`seed ${seed}: ${fault}: ${shown(asking)} → ${typeof answer === "string" ? "" : `${answer.status} ${answer.text.slice(0, 300).replaceAll("\n", "⏎")}`}`)
      if (typeof answer !== "string") counts[answer.status < 400 ? "granted" : answer.status === 429 ? "limited" : "refused"]++
    }
  }
  return { ...counts, asked: length, wrong }
}

export const nonsense: Fault = async ({ note, quick, tell }) => {
  const [many, length] = quick ? [4, 400] : [8, 5_000]
  const [provider, stripe] = [await openProvider(), await openStripe()]
  atEnd(provider.stop)
  atEnd(stripe.stop)
  const { cluster, post, start } = await openGround({
    SVC_DATA_DIR: newFolder(), SVC_LOG: "json", ...stripe.environment, SVC_IDP_ISSUER: provider.issuer, SVC_IDP_CLIENT_ID: CLIENT.id, SVC_IDP_CLIENT_SECRET: CLIENT.secret,
    // Every second asker may do what the platform's administrators do.
    SVC_PLATFORM_ADMINS: Array.from({ length: many }, (_, index) => FIRST + index).filter((seed) => seed % 2 === 0).flatMap((seed) => Array.from({ length: 30 }, (_, n) => `asker-${seed}-${n}@example.com`)).join(",")
  })
  provider.register("http://svc.localhost/v1/auth/idp/callback")
  const program = await start()
  note(`seeds ${FIRST} to ${FIRST + many - 1}`)
  tell(`${many * length} requests`)
  const all = await Promise.all(Array.from({ length: many }, (_, index) => asks(program, post, FIRST + index, length)))
  const sum = (name: "granted" | "refused" | "limited" | "askers" | "asked") => all.reduce((sum, one) => sum + one[name], 0)
  const wrong = all.flatMap((one) => one.wrong)
  const workspaces = await cluster.statement<{ id: string }>("SELECT id FROM workspaces")
  for (const { id } of workspaces) wrong.push(...await unbalanced(cluster, id, "studio"))
  const logged = program.stdout().split("\n").filter((line) => line.includes("\"level\":\"ERROR\""))
  wrong.push(...logged.map((line) => `logged: ${line.slice(0, 2_000)}`))
  return [{
    course: "nonsense", fault: `${sum("asked")} requests with something wrong in them, by ${sum("askers")} people, ${many} at a time`,
    meanwhile: `${sum("granted")} were granted all the same, ${sum("refused")} refused, ${sum("limited")} told to come later`, wrong, back: []
  }]
}
