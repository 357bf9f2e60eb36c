/** News of what was done at the payment service may take a moment: what it changes is read again for a while. */
import { useEffect, useState } from "react"

const PAUSE = 1500

/** After that, nobody is kept waiting. */
const PATIENCE = 60_000

export const useReadingOn = (wanted: boolean): { readonly every: number | false; readonly late: boolean } => {
  const [late, setLate] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const timer = setTimeout(() => setLate(true), PATIENCE)
    return () => clearTimeout(timer)
  }, [wanted])
  return { every: wanted && !late ? PAUSE : false, late }
}
