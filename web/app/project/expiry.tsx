/** A day on which something ends, or none. It ends with that day in the reader's time zone. */
import { now } from "../api/clock.ts"
import { Button } from "../ui/button.tsx"
import { isOver, lastsTheDay } from "../ui/facts.tsx"
import { Field } from "../ui/field.tsx"
import { backAfter } from "../ui/way-back.ts"

const two = (value: number): string => String(value).padStart(2, "0")

export const dayFieldOf = (iso: string | null): string => {
  if (iso === null) return ""
  const at = new Date(iso)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Null for an emptied field. */
export const isoOf = (day: string): string | null => day === "" ? null : new Date(`${day}T23:59:59`).toISOString()

/** Whether nothing would change: it ends with that day already, or the day has passed. */
export const isKept = (day: string, iso: string | null): boolean => {
  const end = day === dayFieldOf(iso) ? isoOf(day) : undefined
  return end !== undefined && (iso === null || end === null || lastsTheDay(iso) || isOver(end))
}

/** The API's times have four digits for the year: this day ends within them in every time zone. */
const LAST = "9999-12-30"

interface ExpiryProps {
  readonly label: string
  readonly hint?: string
  readonly day: string
  /** The day that it has now: a past one may stay. */
  readonly kept: string
  readonly onChange: (day: string) => void
  readonly fault?: string | null
}

const firstOf = (kept: string): string => {
  const today = dayFieldOf(new Date(now()).toISOString())
  return kept !== "" && kept < today ? kept : today
}

export const Expiry = ({ day, fault = null, hint, kept, label, onChange }: ExpiryProps) => (
  <div className="flex flex-wrap items-start gap-2">
    <Field label={label} type="date" className="w-full max-w-48" min={firstOf(kept)} max={LAST} value={day} onChange={({ target }) => onChange(target.value)} fault={fault} {...(hint !== undefined && { hint })} />
    {day !== "" && <Button shape="bare" className="mt-[1.6875rem]" onClick={() => (backAfter(), onChange(""))}>No end</Button>}
  </div>
)
