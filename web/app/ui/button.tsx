/**
 * Buttons and links that look like them. `filled`: once a page; `quiet`: the rest; `bare`: beside other things;
 * `danger`: in a dialog that said what is lost.
 */
import type { ComponentProps } from "react"
import { Icon } from "./icon.tsx"
import type { IconName } from "./icon.tsx"

const shapes = {
  filled: "bg-ink text-sheet hover:opacity-88 px-3.5",
  quiet: "edge bg-sheet text-ink hover:tint px-3.5",
  bare: "text-ink hover:tint px-2.5",
  danger: "bg-bad text-sheet hover:opacity-88 px-3.5"
} as const

export type ButtonShape = keyof typeof shapes

export const buttonClass = (shape: ButtonShape = "quiet", more = ""): string =>
  `inline-flex shrink-0 items-center justify-center gap-2 rounded-control min-h-11 max-w-full py-1 text-center text-control font-medium transition-opacity md:min-h-9 md:whitespace-nowrap aria-disabled:opacity-50 ${shapes[shape]} ${more}`

/** While it is disabled or busy, a press does nothing; the `disabled` attribute would drop the focus onto the page. */
export const Press = ({ disabled = false, onClick, type = "button", ...rest }: ComponentProps<"button">) => (
  <button
    // oxlint-disable-next-line react/button-has-type
    {...rest} type={type} aria-disabled={disabled || undefined}
    onClick={disabled ? (event) => event.preventDefault() : onClick}
  />
)

interface ButtonProps extends ComponentProps<"button"> {
  readonly shape?: ButtonShape
  readonly icon?: IconName
  /** Its change is under way: further presses do nothing. */
  readonly busy?: boolean
}

export const Button = ({ busy = false, children, className = "", disabled = false, icon, shape = "quiet", ...rest }: ButtonProps) => (
  <Press {...rest} disabled={disabled || busy} aria-busy={busy} className={buttonClass(shape, className)}>
    {icon !== undefined && <Icon name={icon} />}
    {children}
  </Press>
)

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  readonly icon: IconName
  /** What it does, for screen readers and as its tooltip. */
  readonly label: string
}

export const IconButton = ({ className = "", icon, label, ...rest }: IconButtonProps) => (
  <Press
    {...rest} aria-label={label} title={label}
    className={`inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:tint hover:text-ink md:size-9 ${className}`}
  >
    <Icon name={icon} />
  </Press>
)
