/** Where output goes: answers to stdout, everything else to stderr; JSON if asked for, colours only on a terminal. */
import { Context, Effect, Layer } from "effect"
import { wireForm } from "../domain/wire-form.ts"
import { plain, table } from "./table.ts"
import type { Column } from "./table.ts"

type Dye = (text: string) => string

export interface Paint {
  readonly bold: Dye
  readonly dim: Dye
  readonly green: Dye
  readonly red: Dye
}

const PLAIN: Paint = { bold: (text) => text, dim: (text) => text, green: (text) => text, red: (text) => text }

const dye = (code: number, end: number): Dye => (text) => text === "" ? "" : `\u001B[${code}m${text}\u001B[${end}m`

const COLOURS: Paint = { bold: dye(1, 22), dim: dye(2, 22), green: dye(32, 39), red: dye(31, 39) }

/** https://no-color.org: any value but an empty one. */
export const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env["NO_COLOR"] ?? "") === "" && process.env["TERM"] !== "dumb"

const paintOf = (stream: NodeJS.WriteStream): Paint => hasColours(stream) ? COLOURS : PLAIN

export interface Modes {
  readonly json: boolean
  readonly verbose: boolean
}

/** Read before the arguments are parsed, since parse errors are reported in the same format. */
export const modesOf = (args: ReadonlyArray<string>): Modes => {
  const end = args.indexOf("--")
  const own = end === -1 ? args : args.slice(0, end)
  const chosen = (name: string): boolean => {
    const last = own.findLast((arg) => arg === `--${name}` || arg === `--no-${name}` || arg.startsWith(`--${name}=`))
    return last === `--${name}` || (last !== undefined && /=(?:true|1|y|yes|on)$/.test(last))
  }
  return { json: chosen("json"), verbose: chosen("verbose") }
}

export const listedIn = (paint: Paint, wide: number) => (columns: ReadonlyArray<Column>, rows: ReadonlyArray<ReadonlyArray<string>>, nothing: string): ReadonlyArray<string> => {
  const [titles = "", ...lines] = table(columns, rows, wide)
  return rows.length === 0 ? [nothing] : [paint.dim(titles), ...lines]
}

export class Output extends Context.Service<Output, {
  readonly json: boolean
  readonly verbose: boolean
  /** Whether stderr, which shows progress, is a terminal. */
  readonly watched: boolean
  /** Whether there is somebody to prompt. */
  readonly asks: boolean
  /** Columns of stdout; unlimited in a pipe. */
  readonly wide: number
  readonly paint: Paint
  readonly asidePaint: Paint
  /** One answer: an object for programs, lines for people. */
  readonly answer: (value: object, lines: (paint: Paint) => ReadonlyArray<string> | string) => Effect.Effect<void>
  /** Rows beneath faint titles, or `nothing` where there are none. */
  readonly listed: ReturnType<typeof listedIn>
  /** One of several JSON lines, only with `--json`. */
  readonly event: (name: string, value: object) => Effect.Effect<void>
  /** A line beside the answer. */
  readonly aside: (line: string) => Effect.Effect<void>
}>()("svc/cli/Output") {
  static readonly layer = ({ json, verbose }: Modes): Layer.Layer<Output> => {
    const write = (stream: NodeJS.WriteStream, text: string) => Effect.sync(() => void stream.write(`${text}\n`))
    const paint = paintOf(process.stdout)
    const wide = process.stdout.isTTY ? process.stdout.columns || 80 : Infinity
    return Layer.succeed(Output, {
      json,
      verbose,
      watched: process.stderr.isTTY === true && process.env["TERM"] !== "dumb",
      asks: process.stdin.isTTY === true && process.stdout.isTTY === true && !json,
      wide,
      paint,
      asidePaint: paintOf(process.stderr),
      answer: (value, lines) => write(process.stdout, json ? JSON.stringify(wireForm(value)) : [lines(paint)].flat().join("\n")),
      listed: listedIn(paint, wide),
      event: (name, value) => json ? write(process.stdout, JSON.stringify({ event: name, ...wireForm(value) as object })) : Effect.void,
      aside: (line) => write(process.stderr, line)
    })
  }
}

export const done = (paint: Paint, text: string): string => `${paint.green("✓")} ${plain(text)}`
