/** Whether the service on this machine is alive: for a container's health check, which knows no host names. */
import { readFileSync } from "node:fs"
import { request } from "node:http"

/** Read as the service reads them: an empty variable counts as unset. */
const { SVC_BASE_URL, SVC_HOST, SVC_PORT, SVC_ROLE } = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ""))

/** The container's main process, also behind an init or a shell. */
const command = () => {
  try {
    return readFileSync("/proc/1/cmdline", "utf8").replaceAll("\0", " ")
  } catch {
    return ""
  }
}

// A worker does not listen: that its process runs is all that can be checked.
if (SVC_ROLE === "worker" || /\bmain\.(?:js|ts) work\b/.test(command())) process.exit(0)

const port = SVC_PORT ?? "8787"
// The service's own address or the configured one, whatever database it has: it answers to no other name.
const host = SVC_BASE_URL === undefined ? `svc.localhost:${port}` : new URL(SVC_BASE_URL).host
const everywhere = SVC_HOST === undefined || SVC_HOST === "0.0.0.0" || SVC_HOST === "::"

request({ host: everywhere ? "127.0.0.1" : SVC_HOST, port, path: "/healthz", headers: { host }, timeout: 4000 })
  .on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1))
  .end()
