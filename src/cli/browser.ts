/** Opens an address in the browser, if there is one. */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { Effect } from "effect"

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...ReadonlyArray<string>]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Over SSH the browser would open on a machine where nobody sits. */
const opener = () => {
  const { DISPLAY, SSH_CONNECTION, SSH_TTY, WAYLAND_DISPLAY } = process.env
  const named = process.env["BROWSER"]?.trim() ?? ""
  // With arguments, unless it is a path with spaces in it.
  if (named !== "") return existsSync(named) ? [named] : named.split(/\s+/)
  if (SSH_CONNECTION !== undefined || SSH_TTY !== undefined) return undefined
  if (process.platform === "linux") return DISPLAY === undefined && WAYLAND_DISPLAY === undefined ? undefined : ["xdg-open"] as const
  return OPENERS[process.platform]
}

/** Only http(s): a service could name a file or a program's own scheme, which this machine would run. */
const isPage = (address: string): boolean => ["http:", "https:"].includes(URL.parse(address)?.protocol ?? "")

/** False if there is no browser, or the address is not a web page. */
export const browse = (address: string): Effect.Effect<boolean> =>
  Effect.callback<boolean>((answer) => {
    const [program, ...args] = opener() ?? []
    if (program === undefined || !isPage(address)) return answer(Effect.succeed(false))
    const child = spawn(program, [...args, address], { stdio: "ignore", detached: true })
    child.once("error", () => answer(Effect.succeed(false)))
    child.once("spawn", () => {
      child.unref()
      answer(Effect.succeed(true))
    })
  })
