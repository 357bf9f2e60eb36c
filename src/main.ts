/** `node src/main.ts <command>`: what an earlier start compiled is read back, which makes this one half as long. */
import { enableCompileCache } from "node:module"
import { join } from "node:path"

// Beside the packages it was made from, and as trusted as they are; a folder that cannot be written costs nothing.
enableCompileCache(process.env["NODE_COMPILE_CACHE"] ?? join(import.meta.dirname, "../node_modules/.cache/node"))
await import("./commands.ts")
