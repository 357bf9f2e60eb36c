/** `node src/main.ts <command>`: reads back the code that an earlier start compiled, which makes this start take half as long. */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Beside the packages that it was made from, and trusted as they are; if the folder cannot be written, nothing is cached.
enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? join(import.meta.dirname, "../node_modules/.cache/node"))
await import("./commands.ts")
