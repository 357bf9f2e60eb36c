/** What is typed into a search, handed on once a pause follows. */
import { useEffect, useRef, useState } from "react"

const PAUSE_MS = 200

/** `given`: what is searched for now. The field follows it where it changes by itself, but not while somebody types. */
export const useTyped = (given: string, search: (text: string) => void) => {
  const [typed, setTyped] = useState(given)
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  const type = (text: string): void => {
    setTyped(text)
    clearTimeout(pause.current)
    pause.current = setTimeout(() => {
      pause.current = undefined
      search(text.trim())
    }, PAUSE_MS)
  }
  useEffect(() => {
    if (pause.current === undefined) setTyped((shown) => shown.trim() === given ? shown : given)
  }, [given])
  useEffect(() => () => clearTimeout(pause.current), [])
  return [typed, type] as const
}
