/** The official MCP conformance suite as a child process, run against a service as one of its accounts. */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface Check {
  readonly id: string
  readonly status: "FAILURE" | "INFO" | "SKIPPED" | "SUCCESS" | "WARNING"
  readonly errorMessage?: string
}

const suite = join(dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js")

/** Only browsers resolve the service's own name. */
const NAMES = `import dns from "node:dns"
const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name.endsWith(".localhost") ? "localhost" : name, ...rest)`

/** The suite sends no token, so it goes through a proxy that adds one and leaves its host and origin as they are. */
const doorTo = (port: number, authorization: string) => {
  const own = `svc.localhost:${port}`
  const door = createServer((question, answer) => {
    const at = `127.0.0.1:${(door.address() as AddressInfo).port}`
    const { host, origin, ...rest } = question.headers
    const headers = {
      ...rest,
      authorization,
      host: host === at ? own : host,
      ...(origin === undefined ? {} : { origin: origin === `http://${at}` ? `http://${own}` : origin })
    }
    const onward = request({ host: "127.0.0.1", port, path: question.url, method: question.method, headers }, (said) => {
      answer.writeHead(said.statusCode ?? 500, said.headers)
      said.pipe(answer)
    })
    onward.on("error", () => answer.destroy())
    answer.on("close", () => onward.destroy())
    question.pipe(onward)
  })
  return new Promise<{ readonly url: string; readonly close: () => void }>((resolve) =>
    door.listen(0, "127.0.0.1", () => resolve({
      url: `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
      close: () => void door.close().closeAllConnections()
    }))
  )
}

/** `server-ping-2026-11-21T11-44-31-020Z` → `ping`. */
const scenarioOf = (folder: string) => folder.replace(/^(server|authorization-server)-/, "").replace(/-\d{4}-\d\d-\d\dT[-\dZ]+$/, "")

const run = async (words: ReadonlyArray<string>, heard: (text: string) => void = () => {}): Promise<ReadonlyMap<string, ReadonlyArray<Check>>> => {
  const results = mkdtempSync(join(tmpdir(), "svc-conformance-"))
  try {
    const child = spawn(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(NAMES)}`, suite, ...words, "-o", results])
    let said = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => heard(said += text.toString()))
    await new Promise((resolve) => child.once("close", resolve))
    const found = new Map(readdirSync(results).map((folder) =>
      [scenarioOf(folder), JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as ReadonlyArray<Check>] as const
    ))
    if (found.size === 0) throw new Error(`The suite ran nothing.\n${said}`)
    return found
  } finally {
    rmSync(results, { recursive: true, force: true })
  }
}

/** Every server scenario of a protocol revision, in that revision's wire format. */
export const serverChecks = async (port: number, authorization: string, revision: string) => {
  const { close, url } = await doorTo(port, authorization)
  try {
    return await run(["server", "--url", url, "--requirements", revision, "--timeout", "60000"])
  } finally {
    close()
  }
}

/** The authorization server's scenarios; `consent` is the person who opens the address and is redirected to what it returns. */
export const authorizationChecks = async (
  base: string,
  client: { readonly id: string; readonly port: number },
  consent: (address: URL) => Promise<string>
) => {
  let asked: Promise<unknown> | undefined
  const checks = await run(
    ["authorization", "--url", base, "--client-id", client.id, "--resource", `${base}/mcp`, "-p", String(client.port)],
    (said) => {
      const address = /^(http\S+\/oauth\/authorize\?\S+)\s/m.exec(said)?.[1]
      if (address !== undefined && said.includes("Callback server started")) asked ??= consent(new URL(address)).then((back) => fetch(back))
    }
  )
  await asked
  return checks
}
