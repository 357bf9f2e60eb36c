/** The way to a page of the payment service, or of another one. After the browser's back button, and where somebody stays whom the browser asked, the buttons are as they were. */
import { useEffect } from "react"

export const useLeaving = (reset: () => void) => {
  useEffect(() => {
    const shown = (event: PageTransitionEvent) => event.persisted && reset()
    addEventListener("pageshow", shown)
    return () => removeEventListener("pageshow", shown)
  }, [reset])
  return ({ url }: { readonly url: string }) => {
    // The answer comes before anything else is done: what is still here a moment later has stayed.
    addEventListener("beforeunload", (event) => setTimeout(() => event.defaultPrevented && reset(), 1000), { once: true })
    location.assign(url)
  }
}
