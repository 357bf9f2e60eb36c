/** Whether the service on this machine is alive: for a container's health check, which knows no host names. */
import { request } from "node:http"

const { SVC_BASE_URL, SVC_PORT = "8787", SVC_ROLE } = process.env

// A worker listens to nobody: that its process runs is all there is to ask.
if (SVC_ROLE === "worker") process.exit(0)

const host = SVC_BASE_URL === undefined || SVC_BASE_URL === "" ? `localhost:${SVC_PORT}` : new URL(SVC_BASE_URL).host

request({ host: "127.0.0.1", port: SVC_PORT, path: "/healthz", headers: { host }, timeout: 4000 })
  .on("response", ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1))
  .end()
