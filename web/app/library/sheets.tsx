/** What a small drawing of a document is made of, in a space of 240 by 132: its paper, and the shades of what is on it. */
import type { ReactNode } from "react"

/** A little white on the paper of either theme: in the dark it lifts the sheet off its card. */
export const paper = "color-mix(in srgb, #fff 7%, var(--sheet))"
export const hair = "color-mix(in srgb, var(--ink) 14%, transparent)"
export const faint = "color-mix(in srgb, var(--ink) 13%, transparent)"
export const strong = "color-mix(in srgb, var(--ink) 42%, transparent)"

interface On {
  readonly children?: ReactNode
}

/** Upright like paper, cut off by the card's lower edge; or wide like a screen. */
export const Sheet = ({ children }: On) => <><rect x={60} y={20} width={120} height={150} rx={5} fill={paper} stroke={hair} vectorEffect="non-scaling-stroke" />{children}</>
export const Screen = ({ children }: On) => <><rect x={38} y={24} width={164} height={150} rx={6} fill={paper} stroke={hair} vectorEffect="non-scaling-stroke" />{children}</>

/** A screen with a browser around it. */
export const Browser = ({ children }: On) => (
  <Screen>
    <path d="M38 42h164" stroke={hair} vectorEffect="non-scaling-stroke" />
    {[48, 55, 62].map((x) => <circle key={x} cx={x} cy={33} r={2} fill={strong} />)}
    <rect x={76} y={29} width={88} height={8} rx={4} fill={faint} />
    {children}
  </Screen>
)
