/**
 * `npm run fleet -- [--stay] [--quick]`: a deployment on one machine. Starts PostgreSQL over TCP, a bucket, Redis, three
 * instances for requests, two workers and a balancer in front; shows that they act as one service, then stops them.
 * `--stay` keeps it running.
 */
import { sumAll } from "effect/Number"
import { closeAll, closeOnSignals, unlessLeaving } from "../bench/closing.ts"
import { load, machine, missing } from "../bench/machine.ts"
import { median } from "../bench/pairs.ts"
import { wrk } from "../bench/wrk.ts"
import { comesIn, elsewhere } from "../test/support/newcomers.ts"
import { eventually } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import { hasRedis, openRedis } from "../test/support/redis.ts"
import { openBucket } from "./bucket.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"

const quick = process.argv.includes("--quick")
const CHANGES = quick ? 40 : 200
const LETTERS = quick ? 10 : 40
const GUESSES = 60
const LET_THROUGH = 20
const ROUNDS = quick ? 1 : 5
const SECONDS = quick ? 2 : 4
const INSTANCES = 3
const PAGE = `<!doctype html><title>Here</title>${"<p>The same page at every instance.</p>".repeat(300)}`

const tell = (line: string) => process.stdout.write(`${line}\n`)

/** Pages per second through the front, from one instance and from all, in turn. */
const throughput = async (front: Awaited<ReturnType<typeof openProxy>>, instances: ReadonlyArray<Program>, slug: string) => {
  const lacking = missing("wrk", "taskset")
  if (lacking.length > 0) return `not measured: ${lacking.join(" and ")} is missing`
  const rates: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, of] of [instances.slice(0, 1), instances].entries()) {
      front.lead(of.map(({ port }) => port))
      rates[index]!.push((await wrk({ url: `http://127.0.0.1:${front.port}/`, host: `${slug}.svc.localhost`, connections: 48, seconds: SECONDS })).perSecond)
    }
  }
  const [one, all] = rates.map(median)
  return `${Math.round(one!)}/s with 1 instance, ${Math.round(all!)}/s with ${instances.length} (medians of ${ROUNDS}; everything shares this machine, the client too)`
}

const run = async (): Promise<void> => {
  const bucket = await openBucket()
  const redis = hasRedis ? await openRedis() : undefined
  const ground = await openGround({ ...bucket.environment(), ...(redis && { SVC_REDIS_URL: redis.url }) })
  const { cluster, post } = ground
  const first = await ground.start({ SVC_ROLE: "http" })
  const rest = await Promise.all(Array.from({ length: INSTANCES - 1 }, () => ground.start({ SVC_ROLE: "http" })))
  const instances = [first, ...rest]
  const workers = await Promise.all([1, 2].map(() => ground.start({ SVC_ROLE: "worker" })))
  const front = await openProxy(...instances.map(({ port }) => port))
  tell(`${machine()}; load average: ${load()}`)
  tell(`front      http://svc.localhost:${front.port}, one connection after the other`)
  for (const { pid, port } of instances) tell(`http       127.0.0.1:${port}, process ${pid}`)
  for (const { pid } of workers) tell(`worker     process ${pid}`)
  tell(`database   ${cluster.url()}\nbucket     http://127.0.0.1:${bucket.port}/packs\nlimits     ${redis?.url ?? "in PostgreSQL: there is no redis-server"}\nmail       ${post.url}\n`)

  const ada = await comesIn(first, post, "ada")
  const put = await first.ask("/v1/projects/fleet", { method: "PUT", body: PAGE, headers: { ...ada.bearer, "content-type": "text/html" } })
  if (put.status !== 201) throw new Error(put.text)
  // The rest is shown even if the machine is too busy to be measured.
  const pages = await throughput(front, instances, "fleet").catch((error: unknown) => `not measured: ${error instanceof Error ? error.message : String(error)}`)
  front.lead(instances.map(({ port }) => port))
  tell(`pages      ${pages}`)

  let late = 0
  for (let change = 0; change < CHANGES; change++) {
    const visibility = change % 2 === 0 ? "private" : "public"
    const changed = await instances[change % INSTANCES]!.ask("/v1/projects/fleet", { method: "PATCH", json: { visibility }, headers: ada.bearer })
    if (changed.status !== 200) throw new Error(changed.text)
    const seen = await Promise.all(instances.map((instance) => instance.ask("/", { host: "fleet.svc.localhost" })))
    late += seen.filter(({ status }) => status !== (visibility === "private" ? 403 : 200)).length
  }
  tell(`changes    ${CHANGES} of who may see a page, each made at one instance and asked at ${INSTANCES} at once: ${late} late`)

  // If Redis answers late, as on a machine with too few cores, each instance counts alone for two seconds, and says how many it counted.
  const countedAlone = async () => sumAll((await Promise.all(instances.map((instance) => instance.ask("/metrics")))).map(({ text }) => Number(/^svc_limits_alone_total (\d+)$/m.exec(text)?.[1] ?? 0)))
  const before = await countedAlone()
  const guesses = await Promise.all(Array.from({ length: GUESSES }, (_, index) =>
    instances[index % INSTANCES]!.ask("/v1/auth/invites/accept", { json: { token: "guess", name: "Guest" }, headers: { "x-forwarded-for": "10.7.0.1" } })))
  const kept = redis === undefined ? "PostgreSQL" : `Redis, ${(await redis.keys()).length} of them there`
  const through = guesses.filter(({ status }) => status !== 429).length
  const alone = (await countedAlone()) - before
  tell(`limits     ${through} of ${GUESSES} guesses from one address at ${INSTANCES} instances at once were let through, ${LET_THROUGH} may be; counted in ${kept}${alone === 0 ? "" : `, and ${alone} without it`}`)

  // Refused for now, so that all letters are waiting when their worker dies.
  post.refuse(true)
  const guests = Array.from({ length: LETTERS }, (_, index) => `guest-${index}@example.com`)
  await Promise.all(guests.map((email, index) => instances[index % INSTANCES]!.ask("/v1/auth/signup", { json: { email, password: "correct horse battery staple" }, headers: elsewhere() })))
  const to = ({ recipients }: { readonly recipients: ReadonlyArray<string> }) => recipients.find((email) => guests.includes(email))
  await eventually("every letter was tried", () => new Set(post.attempts.map(to)).size > LETTERS)
  await workers[0]!.end("SIGKILL")
  const killed = performance.now()
  post.refuse(false)
  await eventually("every letter went out", () => guests.every((email) => post.lettersTo(email).length > 0), 120)
  const seconds = (performance.now() - killed) / 1000
  const twice = guests.filter((email) => post.lettersTo(email).length > 1).length
  tell(`worker     one of two killed with ${LETTERS} letters under way: the last went out after ${seconds.toFixed(1)} s, by the other; 0 lost, ${twice} twice`)
  const miscounted = through < LET_THROUGH || through > LET_THROUGH + alone
  if (late > 0 || twice > 0 || miscounted) process.exitCode = 1
}

closeOnSignals()
try {
  await unlessLeaving(run())
  if (process.argv.includes("--stay")) {
    tell("\nIt stays until Ctrl-C.")
    await new Promise(() => setInterval(() => undefined, 60_000))
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await closeAll()
}
process.exit()
