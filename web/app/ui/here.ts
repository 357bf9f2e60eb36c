/** Whether a component is still on the screen. */
import { useEffect, useRef } from "react"
import type { RefObject } from "react"

export const useHere = (): RefObject<boolean> => {
  const here = useRef(true)
  useEffect(() => {
    here.current = true
    return () => void (here.current = false)
  }, [])
  return here
}
