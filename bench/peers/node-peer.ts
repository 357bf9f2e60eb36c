/** Starts a peer that runs on Node, on the servers' core. */
import { join } from "node:path"
import { pinned, SERVER_CORE, start } from "../machine.ts"
import { freePort } from "../../test/support/program.ts"
import { answering } from "./answering.ts"
import type { Peer } from "./answering.ts"

export const startNodePeer = async (kind: "sirv" | "bare" | "decider" | "api", root: string, database?: string): Promise<Peer> => {
  const port = await freePort()
  const script = join(import.meta.dirname, "node-server.ts")
  const { pid } = start(...pinned(SERVER_CORE, process.execPath, [script, kind, root, String(port), ...(database === undefined ? [] : [database])]))
  await answering(port)
  return { port, pids: [pid!] }
}
