/** The program `svc`: answers `--version` before anything else is loaded. */
import module from "node:module"
import { join } from "node:path"
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

/**
 * Compiled code is kept from one command to the next, a fifth of each: XDG Base Directory, or on Windows where Node keeps it. Elsewhere
 * that is the folder for temporary files, where anybody may put code before we do. What cannot be written is not kept.
 */
const keepCompiled = (): void => {
  const { HOME, XDG_CACHE_HOME = "" } = process.env
  const caches = XDG_CACHE_HOME.startsWith("/") ? XDG_CACHE_HOME : HOME?.startsWith("/") === true ? join(HOME, ".cache") : undefined
  // From Node 22.1 on.
  if (caches !== undefined || process.platform === "win32") module.enableCompileCache?.(caches && join(caches, "svc"))
}

const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) process.stdout.write(`svc ${API_VERSION}\n`)
else {
  keepCompiled()
  const { run } = await import("./run.ts")
  run(args)
}
