/** The disk of blobs full: a small file system of its own, which only root can mount. */
import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { randomBytes } from "node:crypto"
import { atEnd } from "../bench/closing.ts"
import { comesIn } from "../test/support/newcomers.ts"
import { newFolder } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"

const MB = 1024 * 1024

export const disk: Fault = async ({ note, quick, tell }) => {
  const dataDir = newFolder()
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", dataDir])
  if (mounted.status !== 0) {
    note(`skipped: no small file system could be mounted (${String(mounted.stderr ?? mounted.error).trim()}); it takes root`)
    return []
  }
  const ground = await openGround({ SVC_DATA_DIR: dataDir })
  atEnd(() => execFileSync("umount", ["--lazy", dataDir]))
  const { cluster, post } = ground
  const program = await ground.start()
  const ada = await comesIn(program, post, "ada")
  const [back, wrong]: [Array<number>, Array<string>] = [[], []]
  const rounds = quick ? 2 : 10
  const count = { taken: 0, refused: 0, pages: 0 }
  const told = { full: 0, ready: 0 }
  const filler = join(dataDir, "filler")
  const put = (slug: string, body: Buffer) =>
    program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { ...ada.bearer, "content-type": "image/png" } })
  const picture = (bytes: number) => Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), randomBytes(bytes)])
  const rows = async () => (await cluster.statement<{ count: number }>("SELECT (SELECT count(*) FROM packs)::int + (SELECT count(*) FROM versions)::int AS count"))[0]!.count
  let kept = picture(200_000)
  const first = await put("kept", kept)
  if (first.status !== 201) throw new Error(`nothing can be published: ${first.text}`)

  for (let round = 0; round < rounds; round++) {
    tell(`full, ${round + 1} of ${rounds}`)
    try {
      // Until nothing fits, or nearly so, so that a pack breaks off in its middle.
      for (;;) writeFileSync(filler, randomBytes(64 * 1024), { flag: "a" })
    } catch {
      if (round % 2 === 1) execFileSync("truncate", ["--size=-1M", filler])
    }
    const before = await rows()
    const answers = await Promise.all([4, 3, 2].map((size, index) => put(`full-${round}-${index}`, picture(size * MB))))
    for (const { headers, json, status, text } of answers) {
      if (status === 503 && headers["retry-after"] !== undefined && json?.error?.code === "unavailable") count.refused++
      else wrong.push(`a publish was answered ${status} ${text.slice(0, 200)}`)
    }
    if ((await rows()) !== before) wrong.push("a row of what was refused")
    for (let page = 0; page < 10; page++) {
      const { bytes, status } = await program.ask("/_svc/raw/image.png", { host: "kept.svc.localhost" })
      if (status === 200 && bytes.equals(kept)) count.pages++
      else wrong.push(`a page was answered ${status}, ${bytes.length} bytes`)
    }
    if (round % 2 === 0) {
      const { status, text } = await program.ask("/readyz")
      told[status === 503 ? "full" : "ready"]++
      // Nothing can be stored there: load balancers have to learn of it.
      if (status !== 503) wrong.push(`/readyz on a full disk: ${status} ${text.slice(0, 200)}`)
    }
    rmSync(filler)
    const began = performance.now()
    kept = picture(100_000)
    const again = await put("kept", kept)
    back.push(performance.now() - began)
    if (again.status === 200) count.taken++
    else wrong.push(`with room again: ${again.status} ${again.text.slice(0, 200)}`)
  }
  if (count.refused === 0) wrong.push("no publish was refused, so nothing was tried")
  const left = readdirSync(join(dataDir, "blobs/scratch"))
  if (left.length > 0) wrong.push(`${left.length} scratch files are left`)
  const named = new Set((await cluster.statement<{ id: string }>("SELECT id::text FROM packs")).map(({ id }) => id))
  const packs = readdirSync(join(dataDir, "blobs/packs"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name)
  for (const id of named) if (!packs.includes(id)) wrong.push(`a row without its bytes: ${id}`)
  return [{
    course: "disk", fault: `the disk of blobs full, ${rounds} times`,
    meanwhile: `${count.refused} publishes told 503 to come again, none half there; ${count.pages} of ${rounds * 10} pages served, byte for byte; /readyz said so ${told.full} of ${told.full + told.ready} times; ${count.taken} of ${rounds} publishes right after`,
    wrong, back
  }]
}
