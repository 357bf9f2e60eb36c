/**
 * Has diagrams drawn in a frame that has no origin, one at a time. What comes back is a stranger's word: it is measured before it is
 * used. A frame that does not answer in time is dropped, and one that nobody needs any more too.
 */
import type { Answer, Ask } from "./drawing.ts"

/** What draws them is some hundred kilobytes of script, which may come slowly. */
const READY_MS = 30_000
const DRAWN_MS = 10_000
const UNUSED_MS = 30_000
/** Characters of a picture, of its name, and of the reason why there is none. */
const PICTURE = 1_000_000
const NAME = 300
const REASON = 160

const LATE = "Drawing it takes too long"

export type Drawn = { readonly svg: string; readonly name: string } | { readonly fault: string; readonly late?: boolean }

interface Room {
  readonly frame: HTMLIFrameElement
  readonly ready: Promise<unknown>
}

const short = (text: unknown, most: number): string => {
  const [line = ""] = String(text).trim().split("\n")
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`
}

/** What the frame says next under this id; undefined if it says nothing in time. */
const heard = (frame: HTMLIFrameElement, id: number, ms: number): Promise<Partial<Record<string, unknown>> | undefined> =>
  new Promise((resolve) => {
    const end = (said?: Partial<Record<string, unknown>>): void => {
      clearTimeout(waiting)
      removeEventListener("message", hear)
      resolve(said)
    }
    const hear = ({ data, source }: MessageEvent<Answer | null>): void => {
      if (source === frame.contentWindow && data?.id === id) end(data)
    }
    const waiting = setTimeout(end, ms)
    addEventListener("message", hear)
  })

const opened = (): Room => {
  const frame = Object.assign(document.createElement("iframe"), { className: "drawing-room", src: "/_svc/diagrams", title: "", tabIndex: -1 })
  frame.setAttribute("sandbox", "allow-scripts")
  frame.setAttribute("aria-hidden", "true")
  document.body.append(frame)
  return { frame, ready: heard(frame, 0, READY_MS) }
}

export const drawer = () => {
  let room: Room | undefined
  let unused: ReturnType<typeof setTimeout> | undefined
  let count = 0
  const close = (): void => {
    room?.frame.remove()
    room = undefined
  }

  /** Call it again only once it has answered. */
  return async (asked: Omit<Ask, "id">): Promise<Drawn> => {
    clearTimeout(unused)
    const { frame, ready } = room ??= opened()
    const id = ++count
    if (await ready === undefined) {
      close()
      return { fault: "What draws it did not arrive", late: true }
    }
    const answer = heard(frame, id, DRAWN_MS)
    frame.contentWindow?.postMessage({ id, ...asked } satisfies Ask, "*")
    const said = await answer
    if (said === undefined) {
      close()
      return { fault: LATE, late: true }
    }
    unused = setTimeout(close, UNUSED_MS)
    const { fault, late, name, svg } = said
    // It was stopped in the middle of something.
    if (late === true) {
      close()
      return { fault: LATE, late }
    }
    if (typeof svg !== "string") return { fault: short(fault ?? "", REASON).replace(/[\s:.]+$/, "") }
    return svg.length > PICTURE ? { fault: "It becomes too large" } : { svg, name: short(name ?? "", NAME) }
  }
}
