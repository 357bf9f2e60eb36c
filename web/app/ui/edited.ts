/** A field for what is kept elsewhere: what is typed into it stands there until that is kept. */
import { useState } from "react"

export const useEdited = (kept: string) => {
  const [typed, setTyped] = useState<string>()
  return {
    value: typed ?? kept,
    type: setTyped,
    /** Call once `sent` is kept: what was typed on since then stays. */
    settle: (sent: string) => setTyped((now) => now === sent ? undefined : now)
  }
}
