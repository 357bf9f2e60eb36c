/** The page around a document: its dates, theme and keys, then the module of the document's kind, then the comments. */
import "./viewer.css"
import { apart } from "../app/ui/apart.ts"
import { leaveOnceShut } from "./kept-open.ts"
import { keyboard } from "./keys.ts"
import { notices } from "./notices.ts"
import { nothing, unshown } from "./stage.ts"
import type { Facts, Frame, OpenKind } from "./stage.ts"
import { themes } from "./theme.ts"

/** Every kind that script adds to; the others are complete as served. */
const kinds: Readonly<Record<string, (() => Promise<{ readonly open: OpenKind }>) | undefined>> = {
  markdown: () => import("./kinds/markdown.ts"),
  pdf: () => import("./kinds/pdf.ts"),
  text: () => import("./kinds/text.ts"),
  data: () => import("./kinds/data.ts"),
  image: () => import("./kinds/image.ts"),
  video: () => import("./kinds/video.ts")
}

const byId = (id: string): HTMLElement => document.getElementById(id)!
const { dataset } = document.body

const facts: Facts = {
  kind: dataset["kind"]!,
  name: dataset["name"]!,
  type: dataset["type"]!,
  bytes: Number(dataset["bytes"]),
  version: Number(dataset["version"]),
  src: dataset["src"]!,
  pinned: dataset["pinned"]!,
  base: dataset["base"]!,
  proof: dataset["proof"]
}

const date = document.querySelector<HTMLTimeElement>(".facts time")!
const published = new Date(date.dateTime)
date.textContent = apart(new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(published))
date.title = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" }).format(published)

const said = byId("said")
let seen: ReturnType<typeof setTimeout> | undefined
const say = (text: string): void => {
  clearTimeout(seen)
  said.classList.remove("seen")
  said.textContent = text
}
/** Long enough for the longest of them to be read. */
const SEEN_MS = 4000
const tell = (text: string): void => {
  say(text)
  said.classList.add("seen")
  seen = setTimeout(() => said.classList.remove("seen"), SEEN_MS)
}

const { newer, notice } = notices((made) => byId("stage").prepend(made))

const keys = keyboard()
const nextTheme = themes(byId("theme"), say)
byId("theme").addEventListener("click", nextTheme)
keys.add(
  { keys: ["d"], label: "Download", run: () => byId("download").click() },
  { keys: ["t"], label: "Change the theme", run: nextTheme }
)

const tools = byId("tools")
new MutationObserver(() => void (tools.hidden = tools.childElementCount === 0)).observe(tools, { childList: true })

const frame: Frame = { facts, stage: byId("stage"), tools, keys: keys.add, say, tell, notice, newer }

// If the comments or the tools of a kind fail to load, the document still shows as it was served, and says so.
const talking = document.getElementById("talk") === null ? undefined : import("./comments/comments.ts").catch(() => undefined)
const opened = document.getElementById("nothing") !== null ? nothing : await kinds[facts.kind]?.().then(({ open }) => open(frame), () => {
  notice("A part of this page did not arrive. Reload the page to try again.")
  return unshown
})

if (opened !== undefined && talking !== undefined) {
  const comments = await talking
  comments?.mount({
    button: byId("talk"), aside: byId("comments"), main: frame.stage, stage: opened, base: facts.base, version: facts.version, read: () => facts.version, newer, proof: facts.proof, keys: keys.add
  })
  if (comments === undefined) notice("The comments did not arrive. Reload the page to try again.")
}
// Without comments nothing tells of a newer version, or that the document was shut, so that is looked for when the reader comes back; once told of a version, they may go on with theirs.
if (talking === undefined) {
  const look = (): void => {
    if (document.hidden) return
    void fetch(facts.pinned, { method: "HEAD" }).then(({ status }) => {
      if (status !== 409) return
      document.removeEventListener("visibilitychange", look)
      newer()
    }, () => {})
  }
  document.addEventListener("visibilitychange", look)
  leaveOnceShut()
}
document.body.dataset["ready"] = ""
