/** A field with its label above it, its hint and its fault beneath; and where a form shows what it was refused for. */
import { useId, useState } from "react"
import type { ComponentProps, ReactNode } from "react"
import { asRefusal } from "../api/refusal.ts"
import { Icon } from "./icon.tsx"
import { Note } from "./parts.tsx"

export const inputClass = "edge w-full min-h-11 md:min-h-9 rounded-control bg-sheet px-3 py-1.5 text-body md:text-control text-ink placeholder:text-muted aria-invalid:border-bad"

/** What a refusal says of one field; `null` where it is about something else. */
export const faultOf = (error: unknown, field: string): string | null =>
  error === null || error === undefined ? null : asRefusal(error).faults.find((fault) => fault.field === field)?.message ?? null

/** What the browser finds missing is shown like any other fault, and not in a bubble of its own. */
const lackOf = ({ minLength, validationMessage, validity }: HTMLInputElement): string =>
  validity.valueMissing ? "Fill this in." : validity.tooShort ? `Use at least ${minLength} characters.` : validationMessage

interface FieldProps extends Omit<ComponentProps<"input">, "id"> {
  readonly label: string
  /** The label is hidden visually: a heading right above says it. */
  readonly unsaid?: boolean
  readonly hint?: ReactNode
  readonly fault?: string | null
}

export const Field = ({ className = "", fault = null, hint, label, onChange, type, unsaid = false, ...input }: FieldProps) => {
  const id = useId()
  const [lack, setLack] = useState<string | null>(null)
  const [seen, setSeen] = useState(false)
  const isPassword = type === "password"
  const wrong = lack ?? fault
  const told = [hint !== undefined && `${id}-hint`, wrong !== null && `${id}-fault`].filter(Boolean).join(" ")
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className={unsaid ? "sr-only" : "font-medium"}>{label}</label>
      <div className="relative">
        <input
          {...input} id={id} type={isPassword && seen ? "text" : type} className={isPassword ? `${inputClass} pr-16` : inputClass} aria-invalid={wrong !== null || undefined} aria-describedby={told === "" ? undefined : told}
          {...(isPassword && { autoCapitalize: "none", autoCorrect: "off", spellCheck: false })}
          onChange={(event) => {
            setLack(null)
            onChange?.(event)
          }}
          onInvalid={(event) => {
            event.preventDefault()
            setLack(lackOf(event.currentTarget))
            if (event.currentTarget.form?.querySelector("input:invalid") === event.currentTarget) event.currentTarget.focus()
          }}
        />
        {isPassword && (
          <button
            type="button" className="absolute inset-y-0 right-0 min-w-14 rounded-control px-3 text-small font-medium text-muted hover:text-ink"
            // The caret stays where it is.
            onMouseDown={(event) => event.preventDefault()} onClick={() => setSeen(!seen)}
          >
            {seen ? "Hide" : "Show"}<span className="sr-only"> {label.toLowerCase()}</span>
          </button>
        )}
      </div>
      {hint !== undefined && <p id={`${id}-hint`} className="text-small text-pretty text-muted">{hint}</p>}
      {wrong !== null && <p id={`${id}-fault`} role="alert" className="flex gap-1.5 text-small text-bad"><Icon name="warn" size={16} className="mt-0.5" />{wrong}</p>}
    </div>
  )
}

/** Without a label to see: its icon and what stands in it while it is empty say what it is for. */
export const SearchField = ({ className, label, ...input }: Omit<ComponentProps<"input">, "type"> & { readonly label: string; readonly className: string }) => (
  <div className={`relative flex-1 ${className}`}>
    <Icon name="find" className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
    <input {...input} type="search" aria-label={label} className={`${inputClass} pl-9`} />
  </div>
)

export const NewPasswordField = ({ error, label = "Password", name = "password", required = true }: { readonly error: unknown; readonly label?: string; readonly name?: string; readonly required?: boolean }) => (
  <Field
    label={label} type="password" name={name} autoComplete="new-password" required={required} minLength={8} maxLength={256}
    hint="At least 8 characters. A few words that you will remember do best." fault={faultOf(error, name)}
  />
)

/** Hidden: with it, password managers know whose password they fill or keep. */
export const AccountEmail = ({ email }: { readonly email: string }) => <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />

/** What a form was refused for, where no field on screen is named: pass the names of those fields. */
export const FormFault = ({ error, shown = [] }: { readonly error: unknown; readonly shown?: ReadonlyArray<string> }) => {
  if (error === null || error === undefined) return null
  const refusal = asRefusal(error)
  if (refusal.faults.some(({ field }) => shown.includes(field))) return null
  return <Note role="alert" tone="bad">{refusal.message}</Note>
}
