/** Search in a tree: how many matches the worker finds, and stepping from one to the next. */
import { tool } from "../../../tools.ts"
import type { DataWorker } from "../protocol.ts"
import type { Strip } from "../strip.ts"

const QUIET_MS = 200
const MOST = 10_000

export interface TreeSearch {
  /** The buttons that step between matches; disabled while there is none. */
  readonly steps: ReadonlyArray<HTMLButtonElement>
}

export interface TreeSearchOptions {
  readonly strip: Strip
  readonly worker: DataWorker
  readonly say: (text: string) => void
  /** Goes to a match; `unfold` unfolds the tree for it. */
  readonly found: (unfold: () => ReturnType<DataWorker["match"]>) => Promise<unknown>
  /** Called once the search field is emptied. */
  readonly left: () => void
}

export const makeTreeSearch = ({ found, left, say, strip: { field, told }, worker }: TreeSearchOptions): TreeSearch => {
  let [count, at] = [0, -1]
  /** The words that were counted. */
  let words = ""
  let waiting: ReturnType<typeof setTimeout> | undefined

  const tell = (): void => {
    told.textContent = field.value === "" ? "" : count === 0 ? "None" : `${(at + 1).toLocaleString()} of ${count === MOST ? `${MOST.toLocaleString()}+` : count.toLocaleString()}`
  }
  const go = async (to: number): Promise<void> => {
    if (count === 0) return
    at = (to + count) % count
    await found(() => worker.match(at))
    tell()
  }
  const look = async (): Promise<void> => {
    clearTimeout(waiting)
    words = field.value
    const result = await worker.search(words)
    if (result === undefined) return
    count = result
    at = -1
    await go(0)
    tell()
    for (const step of steps) step.disabled = count === 0
    if (field.value !== "") say(count === 0 ? "Not found" : `${count.toLocaleString()} found`)
  }
  const steps = [
    tool({ icon: "up", label: "Previous", key: "Shift+Enter", run: () => void go(at - 1) }),
    tool({ icon: "down", label: "Next", key: "Enter", run: () => void go(at + 1) })
  ]
  for (const step of steps) step.disabled = true

  field.addEventListener("input", () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => void look(), QUIET_MS)
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) void (field.value === words ? go(at + (event.shiftKey ? -1 : 1)) : look())
    else if (event.key === "Escape") {
      field.value = ""
      void look()
      left()
    } else return
    event.preventDefault()
  })
  return { steps }
}
