/** The program `svc`: answers `--version` before anything else is loaded. */
import { API_VERSION } from "../http/contract/version.ts"

// A reader that closes the pipe early, such as `head`, is no failure: the work is still done, an upload to its end.
let told = false
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return
  if (!told) process.stderr.write(`✗ The answer cannot be written: ${code}.\n`)
  told = true
  process.exitCode = 1
})
// Nobody reads the output, or the terminal is gone: no reason to stop half way.
process.stderr.on("error", () => {})

const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) process.stdout.write(`svc ${API_VERSION}\n`)
else (await import("./run.ts")).run(args)
