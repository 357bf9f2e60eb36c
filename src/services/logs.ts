/**
 * The log as lines of JSON, gathered and written together a few times a second: writing one line by itself costs a request as
 * much as an SQL statement. Warnings and errors are written at once, and every exit that Node lives to see, after an uncaught
 * error too, writes what is left.
 */
import { Effect, Layer, Logger, LogLevel } from "effect"
import type { Cause } from "effect"

const GATHER_MS = 50
const FULL = 64 * 1024

/** `write` gets whole lines, without a line end after the last. */
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

/** A line of the log before it is written. */
export interface Said {
  readonly message: unknown
  readonly logLevel: LogLevel.LogLevel
  readonly cause: Cause.Cause<unknown>
}

/** The loggers around it, to which what others log comes as `restate` puts it; undefined: not at all. */
export const restated = (restate: (said: Said) => Said | undefined) =>
  Layer.effect(
    Logger.CurrentLoggers,
    Effect.map(Effect.service(Logger.CurrentLoggers), (loggers) =>
      new Set(Array.from(loggers, (logger) => Logger.make<unknown, void>((options) => {
        const said = restate(options)
        if (said !== undefined) logger.log({ ...options, ...said })
      }))))
  )

/** To stdout, through `console.log`, which ignores a reader that has gone away. */
export const JsonLog = Logger.layer([
  Effect.sync(() => {
    const { flush, logger } = gathered((lines) => console.log(lines))
    process.on("exit", flush)
    return logger
  })
])
