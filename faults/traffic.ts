/** Writers and readers that go on through a fault: every answer is counted by kind, and everything acknowledged is checked. */
import { setTimeout as wait } from "node:timers/promises"
import type { Answer } from "../test/support/ask.ts"
import { checkPage, checkServed, checkVersions, newestOf, send } from "../test/support/ledger.ts"
import type { Ledger } from "../test/support/ledger.ts"
import type { Newcomer } from "../test/support/newcomers.ts"
import { eventually } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"

/** Longer than any timeout of the service itself. */
const HANG_MS = 60_000

/** The only answer that clients may get while something is away: 503, with when to try again. */
const isClean = ({ headers, json, status }: Answer, page: boolean): boolean =>
  status === 503 && Number(headers["retry-after"]) > 0 && (page ? String(headers["cache-control"]).includes("no-store") : json?.error?.code === "unavailable")

export interface Traffic {
  readonly counts: { readonly publishes: number; readonly pages: number; readonly refused: number; readonly cut: number; readonly slowestMs: number }
  readonly wrong: ReadonlyArray<string>
  /** Milliseconds until a publish and a page succeed that are requested after now. */
  readonly back: () => Promise<number>
  /** Sends requests to this program from now on. */
  readonly lead: (program: Program) => void
  /** Checks every page and kept version at this instance once the traffic is over; returns what is wrong there. */
  readonly check: (at: Program) => Promise<ReadonlyArray<string>>
  /** A short summary. */
  readonly told: () => string
  /** Ends it and checks every page and kept version, at this instance or another. */
  readonly end: (at?: Program) => Promise<ReadonlyArray<string>>
}

/** A check that fails is one more thing that went wrong. */
export const held = async (wrong: Array<string>, check: () => Promise<unknown>): Promise<void> => {
  try {
    await check()
  } catch (error) {
    wrong.push(error instanceof Error ? error.message.split("\n")[0]! : String(error))
  }
}

/** Whether the instance soon says that this is away, and when to ask again. */
export const saysAway = async (program: Program, what: "database" | "blobs"): Promise<boolean> => {
  const said = await eventually("/readyz says so", async () => {
    const ready = await program.ask("/readyz")
    return ready.status === 503 && ready
  }, 15).catch(() => undefined)
  return said?.json[what] === "unavailable" && said.headers["retry-after"] !== undefined
}

export const startTraffic = async (
  first: Program,
  { bearer }: Newcomer,
  { cuts = false, named = "busy", pauseMs = 20, readers = 4, writers = 4 }: {
    readonly named?: string
    readonly writers?: number
    readonly readers?: number
    readonly pauseMs?: number
    /** Whether a connection may end without an answer, as when the service itself is killed. */
    readonly cuts?: boolean
  } = {}
): Promise<Traffic> => {
  let program = first
  let over = false
  const counts = { publishes: 0, pages: 0, refused: 0, cut: 0, slowestMs: 0 }
  const wrong: Array<string> = []
  /** When the last successful publish and page were requested. */
  const asked = { publish: 0, page: 0 }
  const ledgers = Array.from({ length: writers }, (_, index): Ledger => ({ slug: `${named}-${index}`, site: index % 3 === 0, attempts: 0, acknowledged: new Set() }))

  const once = async (what: "publish" | "page", ledger: Ledger) => {
    const began = performance.now()
    const hang = new AbortController()
    const least = newestOf(ledger)
    try {
      const answer = await Promise.race([
        what === "publish" ? send(program, bearer, ledger) : program.ask("/", { host: `${ledger.slug}.svc.localhost` }),
        wait(HANG_MS, undefined, { signal: hang.signal }).then(() => {
          throw new Error(`no answer within ${HANG_MS / 1000} s`)
        })
      ])
      if (answer.status < 300) {
        counts[what === "publish" ? "publishes" : "pages"]++
        asked[what] = began
        if (what === "page") await held(wrong, async () => checkServed(ledger, answer, least))
      } else if (isClean(answer, what === "page")) counts.refused++
      else wrong.push(`a ${what} was answered ${answer.status} ${answer.text.slice(0, 120)}`)
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (cuts && code === "ECONNREFUSED") await wait(200)
      else if (cuts && (code === "ECONNRESET" || message === "aborted" || code === "EPIPE")) counts.cut++
      else wrong.push(`a ${what}: ${code ?? ""} ${message}`)
    } finally {
      hang.abort()
      counts.slowestMs = Math.max(counts.slowestMs, performance.now() - began)
    }
  }
  for (const ledger of ledgers) await once("publish", ledger)
  if (counts.publishes !== writers) throw new Error(`nothing can be published before anything is broken: ${wrong.join()}`)

  const going = Promise.all([
    ...ledgers.map(async (ledger) => {
      while (!over) {
        await once("publish", ledger)
        await wait(pauseMs)
      }
    }),
    ...Array.from({ length: readers }, async (_, index) => {
      while (!over) {
        await once("page", ledgers[index % writers]!)
        await wait(pauseMs)
      }
    })
  ])

  const check = async (at: Program) => {
    const found: Array<string> = []
    for (const ledger of ledgers) {
      await held(found, () => checkPage(at, ledger))
      await held(found, () => checkVersions(at, bearer, ledger))
    }
    return found
  }

  return {
    counts,
    check,
    wrong,
    lead: (next) => void (program = next),
    back: async () => {
      const from = performance.now()
      await eventually("publishes and pages again", () => asked.publish > from && asked.page > from, 90)
      return performance.now() - from
    },
    told: () =>
      `${counts.publishes} publishes and ${counts.pages} pages answered, ${counts.refused} told 503 to come again` +
      `${cuts ? `, ${counts.cut} cut off` : ""}; the slowest took ${(counts.slowestMs / 1000).toFixed(1)} s`,
    end: async (at = program) => {
      over = true
      await going
      wrong.push(...await check(at))
      return wrong
    }
  }
}
