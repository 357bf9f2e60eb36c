/** What script adds to the page of two versions, which is complete without it: dates, theme, keys, and pages of PDFs. */
import "./viewer.css"
import "./versions.css"
import { apart } from "../app/ui/apart.ts"
import { leaveOnceShut } from "./kept-open.ts"
import { keyboard } from "./keys.ts"
import { themes } from "./theme.ts"

const byId = (id: string): HTMLElement => document.getElementById(id)!

const [short, long] = [
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }),
  new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" })
]
for (const time of document.querySelectorAll("time")) {
  const at = new Date(time.dateTime)
  time.textContent = apart(short.format(at))
  time.title = long.format(at)
}

const said = byId("said")
const say = (text: string): void => void (said.textContent = text)
const nextTheme = themes(byId("theme"), say)
byId("theme").addEventListener("click", nextTheme)

/** The places of changes, in order. */
const places = (): Array<Element> => [...document.querySelectorAll(".lines .b:has(> del, > ins)")].filter((one) => one.getClientRects().length > 0)

/** Brings the next change to a third down the window, below the bar; a change there counts as looked at. */
const step = (by: 1 | -1): void => {
  const line = innerHeight / 3
  const all = places()
  const top = (one: Element): number => one.getBoundingClientRect().top - line
  const next = by === 1 ? all.find((one) => top(one) > 4) : all.findLast((one) => top(one) < -4)
  if (next === undefined) return say(by === 1 ? "No change below" : "No change above")
  scrollBy({ top: top(next), behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" })
  say(`Change ${all.indexOf(next) + 1} of ${all.length}`)
}

keyboard().add(
  { keys: ["n"], label: "Next change", run: () => step(1) },
  { keys: ["p"], label: "Previous change", run: () => step(-1) },
  { keys: ["t"], label: "Change the theme", run: nextTheme },
  { keys: ["Escape"], label: "Back to the document", run: () => byId("back").click() }
)

leaveOnceShut()

const pdfs = document.querySelectorAll<HTMLElement>(".documents .pdf")
// If this fails, each PDF still opens by its link.
if (pdfs.length > 0) await import("./versions/pages.ts").then(({ show }) => show([...pdfs])).catch(() => undefined)
document.body.dataset["ready"] = ""
