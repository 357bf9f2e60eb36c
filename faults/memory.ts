/** A container of 1 GB, database included: documents made to take memory, all at once, and thousands of requests that are little each. Only root can make one. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, statfsSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { atEnd } from "../bench/closing.ts"
import { clearAway, demoToken, eventually, newFolder, serve } from "../test/support/program.ts"
import { pngOf } from "../test/support/pngs.ts"
import { zipOf } from "../test/support/zips.ts"
import type { Fault } from "./faults.ts"
import { held } from "./traffic.ts"

const MB = 1024 ** 2
const CONTAINER_MB = 1024

const read = (path: string): string => existsSync(path) ? readFileSync(path, "utf8") : ""

/** Control groups of either version, as what runs containers makes them. */
const GROUPS = [
  { root: "/sys/fs/cgroup/memory", limit: "memory.limit_in_bytes", told: "memory.oom_control" },
  { root: "/sys/fs/cgroup", limit: "memory.max", told: "memory.events" }
] as const

interface Container {
  /** Whatever is started by `start` is in it. */
  readonly within: <A>(start: () => Promise<A>) => Promise<A>
  /** How often the system ended a process for want of memory. */
  readonly ended: () => number
}

/** As statfs tells it on Linux. */
const IN_MEMORY = 0x01021994

/** `none`: the reason why there is none. */
const openContainer = (): Container | { readonly none: string } => {
  if (statfsSync(tmpdir()).type === IN_MEMORY) return { none: "temporary files lie in memory here, and would count in the container; set TMPDIR to a folder on a disk" }
  const group = GROUPS.find(({ limit, root }) => existsSync(join(root, limit)) || /\bmemory\b/.test(read(join(root, "cgroup.subtree_control"))))
  if (group === undefined) return { none: "this system has no control groups that limit memory" }
  const folder = join(group.root, `svc-faults-${process.pid}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, group.limit), String(CONTAINER_MB * MB))
  } catch (error) {
    return { none: `no container could be made (${String(error)}); it takes root` }
  }
  atEnd(() => eventually("the container is empty", () => {
    try {
      rmdirSync(folder)
      return true
    } catch {
      return false
    }
  }))
  return {
    within: async (start) => {
      writeFileSync(join(folder, "cgroup.procs"), String(process.pid))
      try {
        return await start()
      } finally {
        writeFileSync(join(group.root, "cgroup.procs"), String(process.pid))
      }
    },
    ended: () => Number(/oom_kill (\d+)/.exec(read(join(folder, group.told)))?.[1] ?? 0)
  }
}

const FILES = 9_990
const LANES = 12
const TABLE_BYTES = 100_000_000
const FLOOD_MS = 20_000
const REFUSED_BYTES = 120_000

/** On a connection of its own, which ends with the answer; false where there was none. */
const refused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const headers = { host: "svc.localhost", "content-type": "text/html", "content-length": REFUSED_BYTES }
    const outgoing = request({ host: "127.0.0.1", port, method: "PUT", path: "/v1/projects/nobodys", agent: false, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 401)
      outgoing.destroy()
    })
    outgoing.on("error", () => resolve(false)).end(Buffer.alloc(REFUSED_BYTES))
  })

const UNREAD = 1_000
const WAITING = 900

/** Sends requests on one connection and reads no answer; whether the service ended the connection. */
const unread = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("GET /openapi.json HTTP/1.1\r\nHost: svc.localhost\r\n\r\n".repeat(UNREAD)))
    let isOurs = false
    const given = setTimeout(() => {
      isOurs = true
      socket.destroy()
    }, 10_000)
    socket.pause().on("error", () => {}).on("close", () => {
      clearTimeout(given)
      resolve(!isOurs)
    })
    // Noticed only by whoever reads.
    setTimeout(() => socket.resume(), 5_000)
  })

/** Begins a body that lacks its last byte; resolves once all else is sent, or refused. */
const waitingBody = (port: number): Promise<() => void> =>
  new Promise((resolve) => {
    const headers = { "host": "svc.localhost", "content-type": "application/json", "content-length": MB }
    const outgoing = request({ host: "127.0.0.1", port, method: "POST", path: "/v1/auth/login", agent: false, headers })
    const end = () => void outgoing.destroy()
    outgoing.on("error", () => resolve(end)).on("response", (answer) => (answer.resume(), resolve(end)))
    outgoing.write(" ".repeat(MB - 1), () => resolve(end))
  })

const STALLED = 3_000
const BLOCK = 256 * 1024

/** Asks for the rest of a large file and reads nothing of it; resolves with the end of that, once there is something to read. */
const stalled = (port: number, host: string, from: number): Promise<() => void> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(`GET /_svc/raw/data.csv HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=${from}-\r\n\r\n`))
    const ready = () => resolve(() => void socket.destroy())
    socket.on("error", ready).once("readable", ready)
  })

const times = (text: string, bytes: number): string => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes)

const MARKDOWNS: Readonly<Record<string, string>> = {
  rows: `|a|b|\n|-|-|\n${times("|1|2|\n", 2_000_000)}`,
  stars: times("*a_ ", 2_000_000),
  marks: times("- [x](y) `c` **b** ~~d~~ <https://a.b>\n", 2_000_000),
  code: times("> > > a\n\n```js\nconst a = 1 + b(c) // d\n```\n", 2_000_000),
  tables: times("Words **bold** and `code` [l](http://a.test)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 900_000)
}

export const memory: Fault = async ({ note, quick, tell }) => {
  const container = openContainer()
  if ("none" in container) {
    note(`skipped: ${container.none}`)
    return []
  }
  atEnd(clearAway)
  const program = await container.within(() => serve({ SVC_DATA_DIR: newFolder() }))
  const authorization = `Bearer ${demoToken(program)}`
  const [back, big, small]: [Array<number>, Array<string>, Array<string>] = [[], [], []]
  /** What is wrong, in the part that is under way. */
  let wrong = big
  const count = { published: 0, pages: 0, read: 0 }
  let over = false
  void program.ended.then(({ code, signal }) => over || wrong.push(`the service ended: ${signal ?? code}`))

  const put = (slug: string, type: string, body: string | Buffer) => async () => {
    const { status, text } = await program.ask(`/v1/projects/${slug}`, { method: "PUT", body, headers: { authorization, "content-type": type } })
    if (status === 200 || status === 201) count.published++
    else wrong.push(`${slug} was answered ${status} ${text.slice(0, 200)}`)
  }
  const page = async (slug: string): Promise<boolean> => (await program.ask("/", { host: `${slug}.svc.localhost` })).status === 200

  const picture = pngOf(8_000, 8_000, [200, 30, 30], [30, 30, 200])
  const files = await zipOf(Object.fromEntries([["index.html", "<title>Files</title>"], ...Array.from({ length: FILES }, (_, n) => [`f/${n}.txt`, times(`${n} `, 2_000)])]))
  const publishes = [
    ...Object.entries(MARKDOWNS).map(([name, text]) => put(`${name}-brief`, "text/markdown", text)),
    ...["one", "two"].map((name) => put(`${name}-picture`, "image/png", picture)),
    put("many-files", "application/zip", files),
    put("long-table", "text/csv", Buffer.alloc(TABLE_BYTES, "a,b,c\n"))
  ]
  const rounds = quick ? 1 : 3
  for (let round = 1; round <= rounds; round++) {
    tell(`all at once, ${round} of ${rounds}`)
    let going = true
    const readers = held(wrong, async () => {
      while (going) {
        if (await page("q3-report")) count.pages++
        else wrong.push("a page was not served")
        await wait(50)
      }
    })
    await held(wrong, () => Promise.all(publishes.map((publish) => publish())))
    // Each is rendered while its readers wait, or later.
    await held(wrong, () => Promise.all(Object.keys(MARKDOWNS).flatMap((name) => Array.from({ length: 4 }, async () => {
      if (await page(`${name}-brief`)) count.read++
      else wrong.push(`${name}-brief was not served`)
    }))))
    await wait(30_000)
    going = false
    await readers
    const began = performance.now()
    await held(wrong, put("after", "text/html", "<p>after"))
    back.push(performance.now() - began)
  }
  const [ended, published] = [container.ended(), count.published]
  if (count.pages === 0) wrong.push("no page was asked for meanwhile")
  if (ended > 0) wrong.push(`the system ended ${ended} processes for want of memory`)
  wrong = small
  tell("little each, very often")
  const little = { files: 0, meanwhile: new Array<string>(), refused: 0, unanswered: 0 }
  const each = (work: (n: number) => Promise<boolean>) => {
    let next = 0
    const lane = async (): Promise<void> => {
      while (await work(next++)) if (over) return
    }
    return held(wrong, () => Promise.all(Array.from({ length: LANES }, lane)))
  }
  await each(async (n) => {
    const path = `/f/${n >> 1}.txt`
    if (n >= 2 * FILES) return false
    const { status } = await program.ask(path, { host: "many-files.svc.localhost", headers: { "accept-encoding": n % 2 === 0 ? "br" : "gzip" } })
    if (status === 200) little.files++
    else wrong.push(`${path} was answered ${status}`)
    return true
  })
  const until = performance.now() + (quick ? FLOOD_MS / 4 : FLOOD_MS)
  await each(async () => {
    if (await refused(program.port)) little.refused++
    else little.unanswered++
    return performance.now() < until
  })
  if (little.refused === 0) wrong.push("nothing was refused, so nothing was tried")
  if (little.unanswered > 0) wrong.push(`${little.unanswered} bodies met no refusal`)
  const isCut = await unread(program.port)
  if (!isCut) wrong.push("the connection whose answers nobody reads was not cut off")
  const bodies: Array<() => void> = []
  await held(wrong, async () => {
    for (let at = 0; at < WAITING; at += LANES) bodies.push(...await Promise.all(Array.from({ length: LANES }, () => waitingBody(program.port))))
    if (await page("q3-report")) little.meanwhile.push("bodies")
    else wrong.push("no page was served beside the bodies")
  })
  bodies.forEach((end) => end())
  const ends: Array<() => void> = []
  await held(wrong, async () => {
    // Each waits with bytes that no other waits with.
    const starts = Array.from({ length: Math.floor(TABLE_BYTES / BLOCK) - 20 }, (_, n) => n * BLOCK)
    for (let table = 0; ends.length < STALLED; table++) {
      await put(`table-${table}`, "text/csv", Buffer.alloc(TABLE_BYTES, `a,b,${table}\n`))()
      for (let at = 0; at < starts.length; at += LANES) {
        ends.push(...await Promise.all(starts.slice(at, at + LANES).map((from) => stalled(program.port, `table-${table}.svc.localhost`, from))))
      }
    }
    if (await page("q3-report")) little.meanwhile.push("connections")
    else wrong.push("no page was served beside the connections")
  })
  ends.forEach((end) => end())
  const began = performance.now()
  await held(wrong, put("at-last", "text/html", "<p>at last"))
  const backAtLast = performance.now() - began
  over = true
  if (container.ended() > ended) wrong.push(`the system ended ${container.ended() - ended} processes for want of memory`)
  return [{
    course: "memory", fault: `a container of 1 GB, its database included: five Markdowns that take much memory, two pictures of 64 megapixels, a CSV of 100 MB and a zip of 10,000 files at once, ${rounds} times`,
    meanwhile: `${published} of ${rounds * publishes.length + rounds} published; ${count.read} of ${rounds * 4 * Object.keys(MARKDOWNS).length} of their pages and ${count.pages} others served`,
    wrong: big, back
  }, {
    course: "memory", fault: `in the same container, ${FILES} small files asked for in both encodings, then bodies of ${REFUSED_BYTES / 1000} KB that are refused, each on a connection of its own; ${UNREAD} requests on one connection, of which no answer is read; ${bodies.length} bodies of 1 MB that lack their last byte; ${ends.length} connections that ask for some of large files each and read nothing of it`,
    meanwhile: `${little.files} of ${2 * FILES} served; ${little.refused} refused, ${little.unanswered} unanswered; the one connection was ${isCut ? "" : "not "}cut off, and a page was served beside the ${little.meanwhile.join(" and the ")}`,
    wrong: small, back: [backAtLast]
  }]
}
