/** The page around a document: its dates, theme and keys, then the module of the document's kind, then the comments. */
import "./viewer.css"
import { keyboard } from "./keys.ts"
import { panel } from "./panel.ts"
import type { Facts, Frame, OpenKind } from "./stage.ts"
import { themes } from "./theme.ts"

/** Every kind that script adds to; the others are whole as they were served. */
const kinds: Readonly<Record<string, (() => Promise<{ readonly open: OpenKind }>) | undefined>> = {
  markdown: () => import("./kinds/markdown.ts"),
  text: () => import("./kinds/text.ts"),
  data: () => import("./kinds/text.ts"),
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
  base: dataset["base"]!,
  proof: dataset["proof"]
}

const date = document.querySelector<HTMLTimeElement>(".facts time")!
const published = new Date(date.dateTime)
date.textContent = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(published)
date.title = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" }).format(published)

const said = byId("said")
const say = (text: string): void => void (said.textContent = text)

const notice = (text: string): void =>
  byId("stage").prepend(Object.assign(document.createElement("p"), { className: "notice", role: "alert", textContent: text }))

const keys = keyboard()
const nextTheme = themes(byId("theme"), say)
byId("theme").addEventListener("click", nextTheme)
keys.add(
  { keys: ["d"], label: "Download", run: () => byId("download").click() },
  { keys: ["t"], label: "Change the theme", run: nextTheme }
)

const tools = byId("tools")
new MutationObserver(() => void (tools.hidden = tools.childElementCount === 0)).observe(tools, { childList: true })

const frame: Frame = { facts, stage: byId("stage"), tools, keys: keys.add, say, notice }

const opened = await kinds[facts.kind]?.().then(({ open }) => open(frame))

const talk = document.getElementById("talk")
if (talk !== null && opened !== undefined) {
  const { close, toggle } = panel(talk, byId("comments"), frame, opened)
  keys.add({ keys: ["c"], label: "Show or hide the comments", run: toggle }, { keys: ["Escape"], label: "Close what is open", run: close })
}
document.body.dataset["ready"] = ""
