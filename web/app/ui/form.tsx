/** A form that is sent by the app and not by the browser. */
import { useRef } from "react"
import type { ReactNode } from "react"

interface FormProps {
  readonly className?: string
  readonly children: ReactNode
  /** Fields without a state are read as it is sent: password managers fill them without events. */
  readonly onSend: (field: (name: string) => string, form: HTMLFormElement) => void
}

export const Form = ({ children, className = "grid gap-4", onSend }: FormProps) => {
  /** Until its button is drawn as busy, a second press would send it again. */
  const isSent = useRef(false)
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault()
        if (isSent.current) return
        isSent.current = true
        setTimeout(() => requestAnimationFrame(() => (isSent.current = false)))
        const form = event.currentTarget
        const fields = new FormData(form)
        onSend((name) => String(fields.get(name) ?? ""), form)
      }}
    >
      {children}
    </form>
  )
}
