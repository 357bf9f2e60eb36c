/** Bodies that name their address and attempt, a record of which were sent and acknowledged, and checks that a server still holds to it. */
import { createHash } from "node:crypto"
import { buffer } from "node:stream/consumers"
import { assert } from "vitest"
import { fromBufferPromise } from "yauzl"
import type { Answer } from "./ask.ts"
import type { Program } from "./program.ts"
import { zipOf } from "./zips.ts"

/** As many versions of a project as the demo account's plan keeps. */
const KEPT = 20

/** What was sent to one address, which has only one writer. */
export interface Ledger {
  readonly slug: string
  /** Sent as a zip of two equal files. */
  readonly site: boolean
  attempts: number
  readonly acknowledged: Set<number>
}

type Bearer = { readonly authorization: string }

/** Every line names its position, so that any misplaced part shows. */
const bodyOf = (slug: string, attempt: number): Buffer => {
  const seed = createHash("sha256").update(`${slug}:${attempt}`).digest()
  // From a few bytes to two megabytes: kept in memory, in a scratch file, and in several writes of one.
  const size = 2 ** (5 + (seed[0]! / 255) * 16)
  const line = `${slug}:${attempt}:${seed.toString("hex")}\n`
  return Buffer.from(line.repeat(Math.ceil(size / line.length)))
}

const attemptIn = (bytes: Buffer): number => Number(/^[\w-]+:(\d+):/.exec(bytes.subarray(0, 100).toString("latin1"))?.[1])

const isWhole = (slug: string, bytes: Buffer): boolean => bytes.equals(bodyOf(slug, attemptIn(bytes)))

/** Sends the next body and records whether it was accepted; fails if no answer comes. */
export const send = async (program: Program, bearer: Bearer, ledger: Ledger): Promise<Answer> => {
  const { site, slug } = ledger
  const attempt = ++ledger.attempts
  const body = bodyOf(slug, attempt)
  const answer = await program.ask(`/v1/projects/${slug}`, {
    method: "PUT",
    body: site ? await zipOf({ "index.html": body, "other/part.html": body }) : body,
    headers: { ...bearer, "content-type": site ? "application/zip" : "text/html" }
  })
  if (answer.status === 200 || answer.status === 201) ledger.acknowledged.add(attempt)
  return answer
}

/** The same, if only success will do. */
export const publish = async (program: Program, bearer: Bearer, ledger: Ledger): Promise<void> => {
  const answer = await send(program, bearer, ledger)
  assert.include([200, 201], answer.status, answer.text)
}

/** What was acknowledged last: an answer to what is asked from now on holds this or something later. */
export const newestOf = ({ acknowledged }: Ledger): number => Math.max(0, ...acknowledged)

/** The answer is a page that is whole, and no older than it has to be. */
export const checkServed = ({ attempts, slug }: Ledger, served: Answer, least: number): void => {
  assert.strictEqual(served.status, 200, `${slug} ${served.text.slice(0, 200)}`)
  assert.isTrue(isWhole(slug, served.bytes), `${slug} is torn: ${served.bytes.length} bytes, ${served.text.slice(0, 100)}`)
  const attempt = attemptIn(served.bytes)
  assert.isAtLeast(attempt, least, `${slug} lost what was acknowledged`)
  assert.isAtMost(attempt, attempts)
}

/** The address serves the newest acknowledged body or a later one: whole, and a site's files all of one version. */
export const checkPage = async (program: Program, ledger: Ledger): Promise<void> => {
  const { acknowledged, site, slug } = ledger
  const host = `${slug}.svc.localhost`
  const least = newestOf(ledger)
  const served = await program.ask("/", { host })
  if (served.status === 404 && acknowledged.size === 0) return
  checkServed(ledger, served, least)
  if (site) assert.isTrue((await program.ask("/other/part.html", { host })).bytes.equals(served.bytes), `${slug}: files of two versions`)
}

async function* filesIn(zip: Buffer): AsyncGenerator<readonly [path: string, bytes: Buffer]> {
  const archive = await fromBufferPromise(zip)
  for await (const entry of archive.eachEntry()) yield [entry.fileName, await buffer(await archive.openReadStreamPromise(entry))]
}

/** Every kept version is a whole body that was sent, and no acknowledged one is missing among them. */
export const checkVersions = async (program: Program, bearer: Bearer, { acknowledged, slug }: Ledger): Promise<number> => {
  const project = await program.ask(`/v1/projects/${slug}`, { headers: bearer })
  const found: Array<number> = []
  for (const { version } of project.json.versions as ReadonlyArray<{ version: number }>) {
    const zip = await program.ask(`/v1/projects/${slug}/versions/${version}/download`, { headers: bearer })
    for await (const [path, bytes] of filesIn(zip.bytes)) {
      assert.isTrue(isWhole(slug, bytes), `${slug} version ${version}: ${path} is torn`)
      if (path === "index.html") found.push(attemptIn(bytes))
    }
  }
  assert.deepStrictEqual(found, [...found].sort((a, b) => b - a), `${slug}: versions out of order`)
  assert.strictEqual(new Set(found).size, found.length, `${slug}: one publish made two versions`)
  assert.isAtMost(found.length, KEPT)
  const oldest = found.length < KEPT ? 0 : Math.min(...found)
  const missing = [...acknowledged].filter((attempt) => attempt > oldest && !found.includes(attempt))
  assert.deepStrictEqual(missing, [], `${slug}: acknowledged and gone`)
  return found.length
}
