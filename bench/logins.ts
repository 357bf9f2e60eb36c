/** Signing in by password: against the bare hash of the same library, and how long others wait meanwhile. */
import { Agent } from "node:http"
import argon2 from "argon2"
import { ask } from "./ask.ts"
import type { Bench } from "./bench.ts"
import { interleaved, median, timed } from "./pairs.ts"
import { atLeast, atMost, milliseconds, paired, perSecond, percentile } from "./report.ts"
import { startService } from "./service.ts"

const PASSWORD = "correct horse battery staple"
/** The parameters of services/crypto/passwords.ts; the goals are about the work around the hash. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const ACCOUNTS = 5_000
const AT_ONCE = 64

export const logins: Bench = async ({ note, quick, tell }) => {
  const service = await startService({ env: { SVC_TRUSTED_PROXY_HOPS: "1" } })
  const hash = await argon2.hash(PASSWORD, PARAMETERS)
  await service.sql(`
    INSERT INTO users (id, email, name, password_hash, email_verified_at, created_at)
    SELECT gen_random_uuid(), 'reader-' || n || '@example.com', 'Ada', $1, now(), now() FROM generate_series(0, ${ACCOUNTS - 1}) n`, [hash])

  let turn = 0
  /** Each from an address of its own and, while there are enough, to another account, so that no limit is reached. */
  const login = async (agent?: Agent) => {
    const n = turn++
    const body = Buffer.from(JSON.stringify({ email: `reader-${n % ACCOUNTS}@example.com`, password: PASSWORD }))
    const headers = { "content-type": "application/json", "x-forwarded-for": `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` }
    const { status, text } = await ask(service.port, "/v1/auth/login", { method: "POST", headers, body, ...(agent && { agent }) })
    if (status !== 200) throw new Error(`a sign-in was answered ${status}: ${text}`)
  }
  const verify = async () => {
    if (!await argon2.verify(hash, PASSWORD)) throw new Error("the hash does not hold")
  }
  /** On new connections each time: kept ones might be closed by the server between two crowds. */
  const crowd = async (work: (agent: Agent) => Promise<void>) => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(agent)))
    agent.destroy()
  }
  const rate = (work: (agent: Agent) => Promise<void>) => async () => AT_ONCE * 1_000 / await timed(() => crowd(work))

  tell("one by one")
  for (let n = 0; n < 30; n++) await login()
  const alone = await interleaved(quick ? 20 : 60, { ours: () => timed(() => login()), raw: () => timed(verify) })

  tell(`${AT_ONCE} at once`)
  const rates = { ours: rate(login), raw: rate(verify) }
  await interleaved(1, rates)
  const together = await interleaved(quick ? 4 : 10, rates)

  tell("others meanwhile")
  const look = () => timed(() => service.ask("/v1/me"))
  for (let n = 0; n < 200; n++) await look()
  const others = { idle: [] as Array<number>, loaded: [] as Array<number> }
  for (let round = 0; round < (quick ? 4 : 10); round++) {
    const [loaded, idle]: [Array<number>, Array<number>] = [[], []]
    let busy = true
    const crowded = crowd(login).finally(() => (busy = false))
    while (busy) loaded.push(await look())
    await crowded
    while (idle.length < loaded.length) idle.push(await look())
    others.loaded.push(percentile(loaded, 0.99))
    others.idle.push(percentile(idle, 0.99))
  }

  note(`Argon2id of 19 MiB, t=2, of the same library, the bare hashes in this process; nothing pinned; ${AT_ONCE} at once`)
  return [
    {
      bench: "logins",
      what: "sign-in beyond its hash, p50",
      ours: milliseconds(alone.ours),
      peer: `the hash ${milliseconds(alone.raw)}`,
      ratios: [median(alone.ours) - median(alone.raw)],
      unit: "ms",
      goal: atMost(3)
    },
    paired("logins", `${AT_ONCE} sign-ins at once`, perSecond, together.ours, ["bare hashes", together.raw], atLeast(0.9)),
    paired("logins", "others' GET /v1/me meanwhile, p99", milliseconds, others.loaded, ["idle", others.idle], atMost(2))
  ]
}
