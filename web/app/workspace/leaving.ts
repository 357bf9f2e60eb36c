/** The way to a page of the payment service. After the browser's back button, the buttons are as they were. */
import { useEffect } from "react"

export const useLeaving = (reset: () => void) => {
  useEffect(() => {
    const shown = (event: PageTransitionEvent) => event.persisted && reset()
    addEventListener("pageshow", shown)
    return () => removeEventListener("pageshow", shown)
  }, [reset])
  return ({ url }: { readonly url: string }) => location.assign(url)
}
