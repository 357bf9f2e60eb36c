/** The addresses of a host whose name a stranger chose, asked of the name servers alone: `/etc/hosts` knows none that belong to the open internet. */
import { Resolver } from "node:dns/promises"

/** For the answer of one name server. */
const PATIENCE_MS = 2_000

/**
 * Through sockets of its own. `dns.lookup` would keep one of the process's few threads for as long as a name server says nothing,
 * and the database, the bucket and the provider are looked up on them too.
 */
export const resolving = (servers?: ReadonlyArray<string>) => async (name: string, signal: AbortSignal): Promise<ReadonlyArray<string>> => {
  const resolver = new Resolver({ timeout: PATIENCE_MS, tries: 1 })
  if (servers !== undefined) resolver.setServers(servers)
  signal.addEventListener("abort", () => resolver.cancel(), { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return answers.flatMap((answer) => answer.status === "fulfilled" ? answer.value : [])
}
