/** The colours and the type scale, defined once for pages, mails and the web app. */

/** A sheet of paper on a desk. Every text colour has a contrast of 4.5:1 or better on both backgrounds; a test computes it. */
export const light = {
  desk: "#F3F1EC",
  sheet: "#FFFFFF",
  ink: "#1C1B19",
  muted: "#66625A",
  line: "#E3DFD6",
  accent: "#B4371F",
  good: "#1B6B43",
  warn: "#7A5100",
  bad: "#A3201A"
} as const

export type Colour = keyof typeof light
export type Palette = Readonly<Record<Colour, string>>

export const dark: Palette = {
  desk: "#141311",
  sheet: "#1D1C1A",
  ink: "#EDEAE3",
  muted: "#A8A297",
  line: "#302D29",
  accent: "#FF8A6E",
  good: "#62C795",
  warn: "#E2AE57",
  bad: "#FF9188"
}

const scale = {
  "text-small": "0.8125rem",
  "text-control": "0.875rem",
  "text-body": "1rem",
  "text-lead": "1.125rem",
  "text-title": "1.5rem",
  "text-display": "2.25rem",
  "radius-sheet": "12px",
  "radius-control": "8px"
} as const

const properties = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values).map(([name, value]) => `--${name}:${value};`).join("")

const shadow = "--float:0 1px 2px rgb(28 27 25/.05),0 16px 40px -8px rgb(28 27 25/.1);"
const shine = "--float:0 0 0 1px var(--line);"

/** Where the system forces its colours, ours become system colours, so that what is drawn with them still tells things apart. */
const forced: Palette = {
  desk: "Canvas", sheet: "Canvas", ink: "CanvasText", muted: "CanvasText", line: "CanvasText", accent: "LinkText", good: "CanvasText", warn: "CanvasText", bad: "CanvasText"
}

/** Dark mode steps the surfaces and drops the shadow, which on a dark desk only looks dirty. */
export const tokensCss = [
  `:root{color-scheme:light dark;${properties(light)}${properties(scale)}`,
  `${shadow}}`,
  `@media screen and (prefers-color-scheme:dark){:root{${properties(dark)}${shine}}}`,
  "@media print{:root{color-scheme:light}}",
  // For readers who ask for it: what is secondary, and every line, is as plain as the text. In front of forced colours, which count as more too.
  "@media (prefers-contrast:more){:root:root:root{--muted:var(--ink);--line:var(--ink)}}",
  // Also overrides a theme that the reader chose.
  `@media (forced-colors:active){:root:root:root{${properties(forced)}}}`
].join("")

/** For pages with a theme switch: the reader's choice overrides their system's; paper is light. */
export const themesCss = [
  `:root[data-theme=light]{color-scheme:light;${properties(light)}${shadow}}`,
  `@media screen{:root[data-theme=dark]{color-scheme:dark;${properties(dark)}${shine}}}`
].join("")
