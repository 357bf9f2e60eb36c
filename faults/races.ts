/** Two and three instances racing for everything that is capped or used once: one wins, and the cap holds. */
import type { Answer } from "../test/support/ask.ts"
import { comesIn, elsewhere } from "../test/support/newcomers.ts"
import type { Newcomer } from "../test/support/newcomers.ts"
import { pkce, REDIRECT } from "../test/support/oauth.ts"
import { tokenIn } from "../test/support/post-office.ts"
import { eventually, newFolder } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import type { Row } from "./report.ts"

export const races: Fault = async ({ quick, tell }) => {
  const [tries, rounds] = quick ? [60, 1] : [200, 5]
  // One folder for all, as a bucket would be.
  const { cluster, post, start } = await openGround({ SVC_DATA_DIR: newFolder() })
  const programs = [await start(), await start(), await start()]
  const rows: Array<Row> = []
  let names = 0

  for (const many of [2, 3]) {
    const among = programs.slice(0, many)
    const wrong: Array<string> = []
    const counts = { races: 0, tries: 0 }
    const won = new Set<number>()

    /** All at once, instances in turn; exactly so many may succeed, and no request may fail for another reason. */
    const race = async (what: string, winners: number, ask: (program: Program, index: number) => Promise<Answer>) => {
      tell(`${what} at ${many} instances`)
      const answers = await Promise.all(Array.from({ length: tries }, (_, index) => ask(among[(index + counts.races) % many]!, index)))
      const winning = answers.flatMap(({ status }, index) => status < 300 ? [index] : [])
      winning.forEach((index) => won.add((index + counts.races) % many))
      if (winning.length !== winners) wrong.push(`${what}: ${winning.length} succeeded instead of ${winners}`)
      for (const { status, text } of answers) if (status >= 500) wrong.push(`${what}: ${status} ${text.slice(0, 100)}`)
      counts.races++
      counts.tries += tries
      return answers
    }
    const count = async (what: string, wanted: number, text: string, ...values: ReadonlyArray<unknown>) => {
      const [row] = await cluster.statement<{ count: number }>(text, values)
      if (row!.count !== wanted) wrong.push(`${what}: ${row!.count} instead of ${wanted}`)
    }
    const put = (program: Program, { bearer }: Newcomer, slug: string) =>
      program.ask(`/v1/projects/${slug}`, { method: "PUT", body: `<p>${Math.random()}</p>`, headers: { ...bearer, "content-type": "text/html" } })

    for (let round = 0; round < rounds; round++) {
      const id = ++names
      const ada = await comesIn(among[0]!, post, `ada-${id}`)

      // A trial's plan has five seats: one is taken, three are filled.
      for (const name of ["one", "two", "three"]) await among[1]!.ask("/v1/workspace/invites", { json: { email: `${name}-${id}@race.example`, role: "member" }, headers: ada.bearer })
      const invited = await race("the last seat", 1, (program, index) => program.ask("/v1/workspace/invites", { json: { email: `guest-${id}-${index}@race.example`, role: "member" }, headers: ada.bearer }))
      const guest = invited.find(({ status }) => status < 300)?.json.email as string
      const letter = await eventually("the invitation", () => post.lettersTo(guest)[0])
      const token = tokenIn(letter, "invite")
      await race("one invitation accepted", 1, (program) => program.ask("/v1/auth/invites/accept", { json: { token, name: "Guest" }, headers: elsewhere() }))
      await count("members", 2, "SELECT count(*)::int FROM members WHERE workspace_id = $1", ada.workspace)

      await cluster.statement("UPDATE workspaces SET plan = 'starter', trial_ends_at = NULL WHERE id = $1", [ada.workspace])
      for (const slot of [1, 2, 3, 4]) await put(among[0]!, ada, `slot-${id}-${slot}`)
      await race("the last project of a plan", 1, (program, index) => put(program, ada, `try-${id}-${index}`))
      await count("projects", 5, "SELECT count(*)::int FROM projects WHERE workspace_id = $1", ada.workspace)

      const bob = await comesIn(among[1]!, post, `bob-${id}`)
      const before = post.lettersTo(bob.email).length
      await among[0]!.ask("/v1/auth/magic-link", { json: { email: bob.email } })
      const magic = await eventually("the link", () => post.lettersTo(bob.email).slice(before).map((letter) => tokenIn(letter, "magic-link")).find((found) => found !== undefined))
      await race("one magic link", 1, (program) => program.ask("/v1/auth/magic-link/verify", { json: { token: magic }, headers: elsewhere() }))

      const { json: device } = await among[0]!.ask("/v1/auth/device", { method: "POST", headers: elsewhere() })
      await among[1]!.ask("/v1/auth/device/approve", { json: { user_code: device.user_code as string }, headers: bob.session })
      await race("one device's token", 1, (program) => program.ask("/v1/auth/device/token", { json: { device_code: device.device_code as string } }))

      const { json: client } = await among[0]!.ask("/oauth/register", { json: { redirect_uris: [REDIRECT], client_name: "Agent" }, headers: elsewhere() })
      const { challenge, verifier } = pkce()
      const asked = { decision: "approve", client_id: client.client_id as string, redirect_uri: REDIRECT, code_challenge: challenge, code_challenge_method: "S256" }
      const { json: decided } = await among[1]!.ask("/v1/oauth/authorize", { json: asked, headers: bob.session })
      const code = new URL(decided.redirect_to as string).searchParams.get("code")!
      const exchange = new URLSearchParams({ grant_type: "authorization_code", client_id: client.client_id as string, code, redirect_uri: REDIRECT, code_verifier: verifier }).toString()
      await race("one authorization code", 1, (program) => program.ask("/oauth/token", { method: "POST", body: exchange, headers: { "content-type": "application/x-www-form-urlencoded" } }))

      const cleo = await comesIn(among[0]!, post, `cleo-${id}`)
      // The winner goes on publishing to it, so that all requests of one side succeed and none of the other.
      const answers = await race("one free address, between two", tries / 2, (program, index) => put(program, index % 4 < 2 ? bob : cleo, `free-${id}`))
      if (new Set(answers.flatMap(({ status }, index) => status < 300 ? [index % 4 < 2] : [])).size !== 1) wrong.push("one free address: both have it")
    }
    rows.push({
      course: "races", fault: `${many} instances, ${counts.races} races of ${tries} tries at once`,
      meanwhile: `seats, invitations, projects, addresses, magic links, device tokens, authorization codes; won at ${won.size} of ${many} instances`, wrong, back: []
    })
  }
  return rows
}
