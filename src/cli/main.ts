/** The program `svc`: what asks for nothing but the version is answered before anything else is loaded. */
import { API_VERSION } from "../http/contract/version.ts"

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

const args = process.argv.slice(2)
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) process.stdout.write(`svc ${API_VERSION}\n`)
else (await import("./run.ts")).run(args)
