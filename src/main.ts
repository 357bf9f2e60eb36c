/** The service as a program, `node dist/service/main.js <command>`; from its sources, `node src/main.ts <command>`. Reads back the code that an earlier start compiled, which makes this start take half as long. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Beside the packages that it was made from, and trusted as they are; if the folder cannot be written, nothing is cached.
enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)))
await import("./commands.ts")
