/** Runs one command. A refusal goes to stderr in plain words, to stdout as JSON if that is asked for, and into the exit code. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer } from "effect"
import * as CliConfig from "effect/cli/CliConfig"
import { isCliError } from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import { runWith } from "effect/cli/Command"
import { Help, Version } from "effect/cli/GlobalFlag"
import { API_VERSION } from "../http/contract/version.ts"
import { hasColours, modesOf, Output } from "./output.ts"
import { Refusal, refusalOf, usage } from "./refusal.ts"
import { svc } from "./root.ts"
import { exactly, plain } from "./table.ts"
import { asWord } from "./words.ts"

/** Fields under which a request carries what nobody named: headers, what is published or said, and the whole. */
const UNNAMED = new Set(["Content-Type", "Idempotency-Key", "body", "file", "request"])

/** Where an input is wrong, unless what to do next names it. */
const at = (field: string | null, next = ""): string =>
  field === null || UNNAMED.has(field) || ["-", "<"].some((before) => next.includes(before + field)) ? "" : ` (${field})`

const tell = (refusal: Refusal) =>
  Effect.gen(function*() {
    const { aside, asidePaint: { dim, red }, json } = yield* Output
    const { code, details = {}, exit, field = null, message, next } = refusal
    const envelope = { error: { code, message, field, details, ...(next === undefined ? {} : { next }) } }
    if (json) yield* Effect.sync(() => process.stdout.write(`${JSON.stringify(envelope)}\n`))
    yield* aside(`${red("✗")} ${plain(message)}${dim(at(field, next))}`)
    const entry = details["entry"]
    if (typeof entry === "string") yield* aside(`  ${exactly(entry)}`)
    const faults = details["errors"]
    if (Array.isArray(faults) && faults.length > 1) {
      for (const fault of faults.slice(1) as ReadonlyArray<{ field: string; message: string }>) yield* aside(`  ${plain(fault.message)}${dim(at(fault.field))}`)
    }
    // It may name a file of somebody else's, or what a server answered.
    if (next !== undefined) yield* aside(`${dim("→")} ${next.split("\n").map(plain).join("\n")}`)
    process.exitCode = exit
  })

/** Help as the library lays it out, on stdout if it was asked for; a parse error in a line or two, not below a page of help. */
const presenter = (colours: boolean): CliOutput.Presenter => {
  const formatter = CliOutput.defaultFormatter({ colors: colours, globalFlags: "summary" })
  return {
    present: (event) => {
      switch (event._tag) {
        case "Help":
          return Effect.sync(() => void (event.reason === "Requested" ? process.stdout : process.stderr).write(`${formatter.formatHelpDoc(event.helpDoc)}\n`))
        case "Version":
          return Effect.sync(() => void process.stdout.write(`svc ${event.version}\n`))
        case "InvalidInvocation":
          return Effect.void
      }
    }
  }
}

/** What the library says of a value that is no whole number, or of none in its place. */
const NO_INTEGER = /Expected(?:: integer|: <days>| an integer| a string representing a finite number)$/

/** On one line, in sentences; what a value must be is said in our own words. */
const inWords = ({ message }: { readonly message: string }): string =>
  message
    .replaceAll(/\s*\n\s*/g, " ")
    .replace("Expected: Schema validation failed: ", "")
    .replace(NO_INTEGER, "Give a whole number.")
    .replace(/ Did you mean this\? (.+)$/, (_, names: string) => `. Did you mean ${names.replaceAll(" ", " or ")}?`)
    .replace(/[^.?]$/, "$&.")

const notUnderstood = (path: ReadonlyArray<string>, errors: ReadonlyArray<{ readonly message: string }>): Refusal =>
  new Refusal({ exit: 2, code: "usage", message: errors.map(inWords).join(" "), next: `${path.join(" ")} --help` })

/** `svc export`, and nothing after it: people have just read its help. */
const unfinished = (path: ReadonlyArray<string>) =>
  Effect.flatMap(Output, ({ json }) => {
    const refusal = notUnderstood(path, [{ message: `${path.join(" ")} wants a command after it.` }])
    return json ? tell(refusal) : Effect.sync(() => void (process.exitCode = refusal.exit))
  })

const told = (error: unknown) =>
  isCliError(error) && error._tag === "ShowHelp"
    ? error.errors.length === 0 ? unfinished(error.commandPath) : tell(notUnderstood(error.commandPath, error.errors))
    : Effect.flatMap(refusalOf(error), tell)

/** The short flags of all commands, alone or combined; the last may take a value. */
const SHORT = /^-[hvy]*[hvyqs](?:=.*)?$/s
const NUMBER = /^-(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** The library reads letters of a value as flags: a value with an h in it got help, and exit code 0. */
const dashed = (args: ReadonlyArray<string>): Refusal | undefined => {
  const end = args.indexOf("--")
  const found = (end === -1 ? args : args.slice(0, end)).find((arg) => /^-[^-]/.test(arg) && !SHORT.test(arg) && !NUMBER.test(arg))
  return found === undefined ? undefined : usage(
    `"${found}" looks like a flag, but svc has no such flag.`,
    `A file: ${asWord(`./${found}`)}   a flag’s value: --title=${asWord(found)}   any other: after --`
  )
}

/** The command with its streams and its exit code, which is set and not yet left with. */
export const program = (args: ReadonlyArray<string>) => {
  const modes = modesOf(args)
  return Effect.suspend(() => dashed(args) ?? runWith(svc, { version: API_VERSION })(args)).pipe(
    Effect.catch(told),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
      const found = Cause.squash(cause)
      return tell(new Refusal({
        exit: 1,
        code: "internal_error",
        message: `svc failed unexpectedly: ${found instanceof Error ? found.message : String(found)}`,
        next: modes.verbose ? Cause.pretty(cause) : "The same with --verbose tells more."
      }))
    }),
    Effect.provide(Layer.mergeAll(
      NodeServices.layer,
      Output.layer(modes),
      CliConfig.layer({ builtIns: [Help, Version] }),
      CliOutput.layerPresenter(presenter(hasColours(process.stdout)))
    ))
  )
}

export const run = (args: ReadonlyArray<string>): void => {
  // Losing the terminal ends it as Ctrl-C does, so that temporary files are removed.
  process.once("SIGHUP", () => process.emit("SIGTERM", "SIGTERM"))
  NodeRuntime.runMain(program(args), {
    disableErrorReporting: true,
    teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? Number(process.exitCode ?? 0) : 130)
  })
}
