/** Turns once a minute, as long as somebody looks: what says how long ago something was, or whether it is over, is said anew. */
import { useEffect } from "react"
import { makeStore } from "./store.ts"

const MINUTE_MS = 60_000

const minutes = makeStore(0)

const tick = (): void => {
  if (!document.hidden) minutes.set(minutes.now() + 1)
}

let users = 0
let timer: ReturnType<typeof setInterval> | undefined

const begin = (): void => {
  timer = setInterval(tick, MINUTE_MS)
  document.addEventListener("visibilitychange", tick)
}

const end = (): void => {
  clearInterval(timer)
  document.removeEventListener("visibilitychange", tick)
}

export const useMinute = (): void => {
  minutes.use()
  useEffect(() => {
    if (users++ === 0) begin()
    return () => {
      if (--users === 0) end()
    }
  }, [])
}
