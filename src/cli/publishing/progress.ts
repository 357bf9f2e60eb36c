/** How far an upload is: a line that rewrites itself on a terminal, events with `--json`, nothing in a pipe. */
import { Effect } from "effect"
import { sizeText } from "../../http/contract/sizes.ts"
import { Output } from "../output.ts"
import { cut } from "../table.ts"
import { span } from "../words.ts"

const EVERY_MS = { line: 100, event: 500 } as const

/** Rates of the first moments say nothing. */
const SETTLED_MS = 600

export const progressLine = (sent: number, total: number, elapsedMs: number): string => {
  const shown = `Sending  ${sizeText(Math.min(sent, total))} of ${sizeText(total)}  ${total === 0 ? 100 : Math.min(100, Math.floor((sent / total) * 100))}%`
  if (elapsedMs < SETTLED_MS || sent === 0) return shown
  const rate = sent / (elapsedMs / 1000)
  const left = (total - sent) / rate
  return `${shown}  ${sizeText(rate)}/s  ${left < 1 ? "the service takes it in" : `${span(left)} left`}`
}

export interface Progress {
  readonly read: (bytes: number) => void
  /** Clears the line. */
  readonly end: () => void
}

export const progress = (total: number) =>
  Output.use(({ json, watched }) =>
    Effect.sync((): Progress => {
      const began = Date.now()
      let sent = 0
      let last = began
      const tell = (elapsed: number) => {
        if (json) process.stdout.write(`${JSON.stringify({ event: "progress", sent_bytes: Math.min(sent, total), total_bytes: total })}\n`)
        else if (watched) process.stderr.write(`\r\u001B[2K${cut(progressLine(sent, total, elapsed), (process.stderr.columns || 80) - 1)}`)
      }
      return {
        read: (bytes) => {
          sent += bytes
          const now = Date.now()
          if (now - last < EVERY_MS[json ? "event" : "line"] && sent < total) return
          last = now
          tell(now - began)
        },
        end: () => {
          if (!json && watched) process.stderr.write("\r\u001B[2K")
        }
      }
    })
  )
