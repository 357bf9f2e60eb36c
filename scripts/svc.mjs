#!/usr/bin/env node
/** `npm exec svc` in a checkout: runs the sources with a Node that reads them, made ready first where nothing is. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const OLDEST_NODE = 24

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, "src", "cli", "main.ts")
const fetched = join(root, "node_modules", ".bin", "node")
const recent = Number(process.versions.node.split(".")[0]) >= OLDEST_NODE

// A command needs neither the web files nor an up-to-date install.
if (!existsSync(join(root, "node_modules", "effect")) || (!recent && !existsSync(fetched))) await import("./prepare.mjs")

if (recent) await import(program)
else {
  const child = spawn(fetched, [program, ...process.argv.slice(2)], { stdio: "inherit" })
  // Ctrl-C reaches both processes; the one that does the work decides what it means.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => signal === "SIGINT" || child.kill(signal))
  child.once("close", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}
