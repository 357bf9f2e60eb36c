/** What script adds to a rendered document: copy buttons, the contents beside it, and hash links as their authors wrote them. */
import "./code.css"
import "./markdown.css"
import { iconText } from "../../../src/look/icons.ts"
import { clip } from "../clipboard.ts"
import type { Frame, OpenKind } from "../stage.ts"
import { textSize } from "../text-size.ts"
import { documentStage, idsOf } from "./markdown/anchors.ts"
import { reveal } from "./markdown/reveal.ts"

/** As in markdown.css, in px at the common text size. */
const BESIDE = 1080

const copying = (sheet: HTMLElement, { say, tell }: Frame): void => {
  for (const box of sheet.querySelectorAll<HTMLElement>(".code")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "tool copy", title: "Copy", innerHTML: iconText("copy") })
    button.setAttribute("aria-label", "Copy the code")
    box.append(button)
  }
  sheet.addEventListener("click", (event) => {
    const box = event.target instanceof Element ? event.target.closest<HTMLElement>(".copy")?.parentElement : undefined
    if (!box) return
    const words = box.querySelector("pre")?.textContent ?? ""
    // Whoever sees the button sees that it was done, and nothing of why it was not.
    void clip(say, words.replace(/\n$/, ""), "Copied the code", tell).then((isDone) => {
      box.classList.toggle("copied", isDone)
      if (isDone) setTimeout(() => box.classList.remove("copied"), 1500)
    })
  })
}

const decoded = (hash: string): string => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

/** Follows a hash, such as `#install`. */
const follow = (): void => {
  const name = decoded(location.hash)
  if (name === "") return
  const target = idsOf(name).map((id) => document.getElementById(id)).find((one) => one?.closest(".document"))
  if (target) reveal(target, "start")
}

/** Marks, in the contents, the heading that the reader is under. */
const marking = (links: ReadonlyMap<string, HTMLElement>): void => {
  const seen = new Set<Element>()
  const headings = [...links.keys()].flatMap((id) => document.getElementById(id) ?? [])
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) seen.add(target)
      else seen.delete(target)
    }
    const first = headings.find((heading) => seen.has(heading))
    if (first === undefined) return
    for (const [id, link] of links) {
      if (id === first.id) link.setAttribute("aria-current", "location")
      else link.removeAttribute("aria-current")
    }
  }, { rootMargin: "-56px 0px -60% 0px" })
  headings.forEach((heading) => observer.observe(heading))
}

const contents = (): void => {
  const details = document.querySelector<HTMLDetailsElement>(".contents > details")
  if (details === null) return
  let beside: boolean | undefined
  const room = details.closest(".markdown")!
  const arrange = (): void => {
    const now = room.clientWidth >= BESIDE * textSize()
    if (now !== beside) details.open = beside = now
  }
  arrange()
  new ResizeObserver(arrange).observe(room)
  const links = [...details.querySelectorAll<HTMLAnchorElement>("a")]
  marking(new Map(links.map((link) => [decoded(link.hash), link])))
  details.addEventListener("click", (event) => {
    if (event.target instanceof HTMLAnchorElement && !beside) details.open = false
  })
}

export const open: OpenKind = async (frame) => {
  const sheet = document.getElementById("document")
  // Too long to be rendered: the server sent it as text.
  if (sheet === null) return (await import("./text.ts")).open(frame)
  contents()
  copying(sheet, frame)
  if (sheet.querySelector(".mermaid") !== null) void import("./markdown/diagrams.ts").then(({ drawDiagrams }) => drawDiagrams(sheet), () => undefined)
  follow()
  addEventListener("hashchange", follow)
  return documentStage(sheet)
}
