/**
 * The log as lines of JSON, gathered and written together a few times a second: a line written by itself costs a
 * request as much as a statement. What goes wrong is written at once, and every end of the process that Node lives to
 * see, an uncaught error included, writes what is left.
 */
import { Effect, Logger, LogLevel } from "effect"

const GATHER_MS = 50
const FULL = 64 * 1024

/** `write` is given whole lines, without the last one's end. */
export const gathered = (write: (lines: string) => void) => {
  let waiting = ""
  let due: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(due)
    due = undefined
    if (waiting === "") return
    const lines = waiting
    waiting = ""
    write(lines)
  }
  const logger = Logger.make<unknown, void>((options) => {
    const line = Logger.formatJson.log(options)
    waiting = waiting === "" ? line : `${waiting}\n${line}`
    if (LogLevel.isGreaterThanOrEqualTo(options.logLevel, "Warn") || waiting.length >= FULL) flush()
    else due ??= setTimeout(flush, GATHER_MS).unref()
  })
  return { logger, flush }
}

/** On the terminal, or whatever stands in its place; one that has gone away is no trouble of ours. */
export const JsonLog = Logger.layer([
  Effect.sync(() => {
    const { flush, logger } = gathered((lines) => console.log(lines))
    process.on("exit", flush)
    return logger
  })
])
