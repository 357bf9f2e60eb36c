/** What a walk has at hand: a team with its world, their readers, chance, and requests that are answered as the world says or noted down. */
import type { Answer, Question } from "../../test/support/ask.ts"
import { comesIn, elsewhere } from "../../test/support/newcomers.ts"
import { tokenIn } from "../../test/support/post-office.ts"
import type { PostOffice } from "../../test/support/post-office.ts"
import { eventually } from "../../test/support/program.ts"
import type { Program } from "../../test/support/program.ts"
import { chance } from "../chance.ts"
import type { Cluster } from "../cluster.ts"
import { World } from "./world.ts"
import type { Home, Page, Pass, Person, Plan } from "./world.ts"

/** Files of a walk's pages, besides `index.html`. */
export const PATHS = ["a.txt", "b.txt", "deep/c.txt"]
export const TEXTS = Array.from({ length: 5 }, (_, index) => `${"text ".repeat(1 + index * 11)}${index}\n`)

/** How the API answers, by the code of a tool's error. */
const STATUSES: Readonly<Record<string, number>> = { not_found: 404, forbidden: 403, conflict: 409, slug_taken: 409, quota_exceeded: 402 }

/** A reader's browser: at one address, with the passes that it was given, by host. */
export interface Reader {
  readonly person: Person | undefined
  readonly address: string
  readonly jar: Map<string, { readonly cookie: string; readonly pass: Pass }>
}

/** What is done, and how often that is done beside the others. */
export type Steps = Readonly<Record<string, readonly [weight: number, step: () => Promise<void>]>>

export interface Among {
  readonly programs: ReadonlyArray<Program>
  readonly post: PostOffice
  readonly cluster: Cluster
}

export type Walk = Awaited<ReturnType<typeof openWalk>>

export const openWalk = async ({ cluster, post, programs }: Among, seed: number) => {
  const { below, happens, one, some } = chance(seed)

  const wrong: Array<string> = []
  const trace: Array<string> = []
  const counts = { steps: 0, granted: 0, refused: 0, tools: 0, looks: 0 }
  /** Whether many steps are under way at once: what comes of each cannot be foretold then, only that it fails in order. */
  let crowded = false

  /** At either instance, so that whatever one of them changed is asked of the other. */
  const ask = (path: string, question?: Question): Promise<Answer> => one(programs).ask(path, question)
  const as = (person: Person, path: string, question: Question = {}) => ask(path, { ...question, headers: { ...question.headers, ...person.bearer } })

  const byTool = async (person: Person, name: string, given: object): Promise<Answer> => {
    const answer = await as(person, "/mcp", {
      headers: { accept: "application/json, text/event-stream" }, json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }
    })
    const { content: [{ text }], isError, structuredContent: json } = JSON.parse(/^data: (.*)$/m.exec(answer.text)![1]!).result
    if (isError !== true) return { ...answer, text, json }
    return { ...answer, text, status: STATUSES[JSON.parse(text).error.code] ?? 500 }
  }
  /** By the API, or by the agents' tool for the same, as if the API had answered; `created`: with the status of what makes something. */
  const either = async (api: () => Promise<Answer>, tool: readonly [person: Person, name: string, given: object] | undefined, created: (json: Answer["json"]) => boolean = () => false): Promise<Answer> => {
    if (tool === undefined || !happens(0.3)) return api()
    counts.tools++
    const answer = await byTool(...tool)
    return answer.status === 200 && created(answer.json) ? { ...answer, status: 201 } : answer
  }

  /** What was to come of a request: as it was then, or as it is by now, since pages end by themselves. */
  const foretold = async (wanted: () => number, request: () => Promise<Answer>) => {
    const before = wanted()
    const answer = await request()
    return { answer, wanted: answer.status === wanted() ? answer.status : before }
  }

  const complain = (line: string) => void wrong.push(`seed ${seed}: ${line}; before: ${trace.slice(-6).join(", ")}`)
  const equal = (what: string, found: unknown, wanted: unknown) => {
    if (crowded) return
    counts.looks++
    if (JSON.stringify(found) !== JSON.stringify(wanted)) complain(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  /** Whether it was answered so, and was to succeed. */
  const done = (what: string, { status, text }: Answer, wanted: number): boolean => {
    trace.push(`${what} → ${status}`)
    counts[status < 400 ? "granted" : "refused"]++
    if (crowded ? status >= 500 : status !== wanted) complain(`${what}: ${status} instead of ${wanted} ${text.slice(0, 160)}`)
    return (crowded || status === wanted) && status < 400
  }

  const comes = async (name: string, role: Person["role"]): Promise<Person> => ({ ...(await comesIn(one(programs), post, `${name}-${seed}`)), name, role })
  const ada = await comes("ada", "admin")
  const [bea, cleo, dan] = [await comes("bea", null), await comes("cleo", null), await comes("dan", null)]
  const people = [ada, bea, cleo, dan]
  const team = ada.workspace
  const plan: Plan = happens(0.3) ? "starter" : "studio"
  const world = new World(dan, plan)
  const readers: ReadonlyArray<Reader> = [...people, undefined, undefined].map((person) => ({ person, address: elsewhere()["x-forwarded-for"], jar: new Map() }))
  const homeOf = (person: Person): Home => person === dan ? "stranger" : "team"

  /** An address is mailed so many invitations of a workspace within an hour. */
  const invitations = new Map([[bea, 5], [cleo, 5]])
  const mayBeInvited = (person: Person): boolean => (invitations.get(person) ?? 0) > 0

  /** `wanted`: how the invitation is answered. Whoever it invites accepts it. */
  const invite = async (person: Person, role: "admin" | "member", wanted = 201) => {
    const known = post.lettersTo(person.email).length
    const invited = await as(ada, `/v1/workspace/invites?workspace=${team}`, { json: { email: person.email, role } })
    if (!done(`ada invites ${person.name}`, invited, wanted)) return
    invitations.set(person, invitations.get(person)! - 1)
    const token = await eventually("the invitation", () => post.lettersTo(person.email).slice(known).map((letter) => tokenIn(letter, "invite")).find((found) => found !== undefined))
    const accepted = await ask("/v1/auth/invites/accept", { json: { token, name: person.name }, headers: { ...elsewhere(), ...person.session } })
    if (done(`${person.name} accepts`, accepted, 200)) person.role = role
  }

  /** The page that a step is about, and at which everybody looks afterwards; undefined for a step that may concern all. */
  let touched: Page | undefined
  const about = <P extends Page | undefined>(page: P): P => (touched = page, page)
  const known = () => [...world.pages.values()]
  const somePage = () => about(one(known()))
  /** One that may be published anew, renamed and deleted. */
  const someSite = () => about(some(known().filter(({ talk }) => !talk)))
  const someTalk = () => about(one(known().filter(({ talk }) => talk)))
  const slugs = Array.from({ length: plan === "starter" ? 9 : 14 }, (_, index) => `walk-${seed}-${index}`)
  const someSlug = () => happens(0.8) ? someSite()?.slug ?? one(slugs) : one(slugs)
  /** Mostly somebody who may change it. */
  const somebody = (page: Page | undefined): Person => one(page !== undefined && happens(0.6) ? people.filter((person) => world.changes(person, page)) : people)

  const takesPlace = (id: string, person: Person, slug: string, talk = false): Page => {
    const page: Page = {
      id, home: homeOf(person), owner: person, slug, talk, visibility: "public", doorcode: null, epoch: 0, folder: undefined, endsAt: null, version: 0, versions: new Map(),
      comments: talk, commentAccess: "allowlist", emails: [], inherits: true, views: 0, visitors: new Set()
    }
    world.take(page, slug)
    return page
  }

  await invite(bea, "admin")
  await invite(cleo, "member")
  if (plan === "starter") await cluster.statement("UPDATE workspaces SET plan = 'starter' WHERE id = $1", [team])
  for (const person of [ada, cleo]) {
    const slug = `talk-${seed}-${person.name}`
    const put = await as(person, `/v1/projects/${slug}?workspace=${team}&comments_enabled=true`, { method: "PUT", body: TEXTS[1]!, headers: { "content-type": "text/plain", "x-filename": "notes.txt" } })
    if (!done(`${person.name} publishes ${slug}`, put, 201)) throw new Error(`nothing can be published before anybody walks: ${put.text}`)
    world.publish(takesPlace((await as(person, `/v1/projects/${slug}`)).json.id, person, slug, true), new Map([["notes.txt", TEXTS[1]!]]))
  }

  return {
    world, plan, team, people, ada, bea, cleo, dan, readers, slugs, counts, wrong, homeOf,
    crowd: () => void (crowded = true), below, one, some, happens, ask, as, either, foretold, complain, equal, done, invite, mayBeInvited,
    about, touched: () => touched, known, somePage, someSite, someTalk, someSlug, somebody, takesPlace
  }
}
