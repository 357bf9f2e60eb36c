/** Nobody's requests hold up everybody else's: of one client a few are worked on at once, and the rest wait their turn. */
import type { ServerResponse } from "node:http"

/** Of one client, of those that read and of those that change something: requests whose answers have not begun, and requests begun before others are heard. */
export const AT_ONCE = 16

interface Share {
  working: number
  /** Since others were last heard: an answer that is ready at once is never among those that are worked on. */
  begun: number
  readonly waiting: Array<() => void>
}

/** A request that takes longer gives its place to another: a file may be on its way for minutes, and who asks for a large zip may wait for a turn. */
const PATIENCE_MS = 1_000

const reads = ({ req: { method = "" } }: ServerResponse): boolean => method === "GET" || method === "HEAD" || method === "OPTIONS"

/** Calls `onOver` once: as the answer begins, its connection ends, or it takes too long. What is then sent takes no place: it may be long, and be read slowly. */
const onceOver = (response: ServerResponse, patienceMs: number, onOver: () => void): void => {
  let over = false
  const end = (): void => {
    if (over) return
    over = true
    clearTimeout(patience)
    onOver()
  }
  const patience = setTimeout(end, patienceMs).unref()
  const writeHead = response.writeHead.bind(response) as (...head: ReadonlyArray<unknown>) => ServerResponse
  response.writeHead = (...head: ReadonlyArray<unknown>) => {
    end()
    return writeHead(...head)
  }
  response.once("close", end)
}

/** Returns a function that begins a client's request, at once or when its turn comes. */
export const makeFairShare = (patienceMs = PATIENCE_MS) => {
  /** Of each client that has a request, by what it does. */
  const shares = new Map<string, Share>()
  let scheduled = false

  const mayBegin = ({ begun, working }: Share): boolean => working < AT_ONCE && begun < AT_ONCE

  /** Once the requests that came meanwhile are heard. */
  const later = (): void => {
    if (scheduled) return
    scheduled = true
    setImmediate(goOn)
  }

  const begin = (share: Share, response: ServerResponse, work: () => void): void => {
    // Who went away while it waited gets no answer.
    if (response.destroyed || response.req.socket.destroyed) return
    share.working++
    share.begun++
    later()
    onceOver(response, patienceMs, () => {
      share.working--
      later()
    })
    work()
  }

  const goOn = (): void => {
    scheduled = false
    for (const [key, share] of shares) {
      share.begun = 0
      while (share.waiting.length > 0 && mayBegin(share)) share.waiting.shift()!()
      if (share.begun > 0) later()
      else if (share.working === 0 && share.waiting.length === 0) shares.delete(key)
    }
  }

  return (client: string, response: ServerResponse, work: () => void): void => {
    const key = `${reads(response) ? "reads" : "changes"} ${client}`
    const share = shares.get(key) ?? { working: 0, begun: 0, waiting: [] }
    shares.set(key, share)
    if (share.waiting.length === 0 && mayBegin(share)) return begin(share, response, work)
    share.waiting.push(() => begin(share, response, work))
    later()
  }
}
