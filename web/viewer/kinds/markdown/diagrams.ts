/**
 * Diagrams of a document: each is drawn as it comes near the reader, the others while the reader rests, and stands in front of its
 * source, which stays where it is, to be selected, searched and commented on. One that cannot be drawn stays the code that it was, and
 * says why.
 */
import "./diagrams.css"
import { asksToPrint } from "../../browser-keys.ts"
import { drawer } from "./drawer.ts"
import type { Palette } from "./drawing.ts"

/** Characters of a source, and diagrams of a document. */
const LONGEST = 20_000
const MOST = 100
/** So many may take too long: after them the rest stays code. */
const PATIENCE = 3
/** How far from the window a diagram is drawn before the others. */
const NEAR = "800px 0px"
/** Whoever touches nothing for so long may print, which waits for nothing where the browser's menu asks for it. */
const RESTS_MS = 2_000
/** What keeps a reader waiting while something is drawn. */
const STIRS = ["keydown", "pointerdown", "touchmove", "wheel"] as const
/** In px: a picture beyond this is no diagram that anybody reads. */
const LARGEST = 16_000
/** So far a wide one is made smaller until it scrolls, so that its letters can be read. */
const SMALLEST = .6

interface Diagram {
  readonly box: HTMLElement
  readonly pre: HTMLElement
  readonly source: string
  picture?: HTMLElement
  /** For which colours it was drawn or refused. */
  done?: string
}

const TOKENS = ["sheet", "desk", "ink", "muted", "line", "accent", "good", "warn", "bad", "blue"] as const

const hex = (colour: string): string => `#${(colour.match(/\d+/g) ?? ["0", "0", "0"]).slice(0, 3).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`

const paletteOf = (sheet: HTMLElement): Palette => {
  const probe = document.createElement("span")
  probe.style.setProperty("forced-color-adjust", "none")
  sheet.append(probe)
  const colours = Object.fromEntries(TOKENS.map((token) => {
    probe.style.color = `var(--${token === "blue" ? "function" : token})`
    return [token, hex(getComputedStyle(probe).color)]
  })) as Omit<Palette, "dark">
  probe.remove()
  return { ...colours, dark: Number.parseInt(colours.sheet.slice(3, 5), 16) < 128 }
}

const loaded = (svg: string): Promise<HTMLImageElement | undefined> =>
  new Promise((resolve) => {
    const image = new Image()
    const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }))
    const end = (isThere: boolean): void => {
      if (!isThere) URL.revokeObjectURL(address)
      resolve(isThere ? image : undefined)
    }
    image.addEventListener("load", () => end(image.naturalWidth > 0 && image.naturalHeight > 0 && Math.max(image.naturalWidth, image.naturalHeight) <= LARGEST))
    image.addEventListener("error", () => end(false))
    image.alt = ""
    image.src = address
  })

/** In front of the source, with the button that opens it. */
const framed = (one: Diagram): HTMLElement => {
  const picture = Object.assign(document.createElement("div"), { className: "drawn", tabIndex: 0 })
  picture.setAttribute("role", "img")
  const button = Object.assign(document.createElement("button"), { type: "button", className: "source", textContent: "Source" })
  const open = (isOpen: boolean): void => {
    button.setAttribute("aria-expanded", String(isOpen))
    one.pre.tabIndex = isOpen ? 0 : -1
    if (isOpen) one.pre.removeAttribute("hidden")
    // Where the browser looks for words in what is folded, it opens it.
    else one.pre.setAttribute("hidden", "until-found")
  }
  button.addEventListener("click", () => open(button.getAttribute("aria-expanded") === "false"))
  one.pre.addEventListener("beforematch", () => open(true))
  one.box.classList.add("diagram")
  one.box.prepend(picture, button)
  open(false)
  return picture
}

const show = (one: Diagram, image: HTMLImageElement, name: string, dark: boolean): void => {
  const { naturalHeight: height, naturalWidth: width } = image
  Object.assign(image, { width, height })
  // Of the reader's text size.
  image.style.width = `${width / 16}rem`
  image.style.minWidth = `${width * SMALLEST / 16}rem`
  const picture = one.picture ??= framed(one)
  const before = picture.querySelector("img")
  picture.setAttribute("aria-label", name === "" ? "Diagram" : name)
  picture.classList.toggle("dark", dark)
  picture.replaceChildren(image)
  if (before !== null) URL.revokeObjectURL(before.src)
}

/** At the end of a source the parser counts a line that nobody sees. */
const withinLines = (fault: string, source: string): string => {
  const last = source.trimEnd().split("\n").length
  return fault.replace(/(?<=\bline )\d+/, (line) => String(Math.min(Number(line), last)))
}

const refuse = ({ box, source }: Diagram, said: string): void => {
  const fault = withinLines(said, source)
  const words = fault === "" ? "This diagram could not be drawn." : `This diagram could not be drawn: ${fault}.`
  box.append(Object.assign(document.createElement("p"), { className: "undrawn", lang: "en", textContent: words }))
}

export const drawDiagrams = (sheet: HTMLElement): void => {
  const draw = drawer()
  let palette = paletteOf(sheet)
  let key = JSON.stringify(palette)
  let patience = PATIENCE
  let working: Promise<void> | undefined
  /** How many that nobody has come near are drawn as well. */
  let far = 0
  let resting: ReturnType<typeof setTimeout> | undefined
  const near = new Set<Diagram>()

  const diagrams = new Map([...sheet.querySelectorAll<HTMLElement>("pre.mermaid")].map((pre): [Element, Diagram] => {
    const box = pre.parentElement!
    return [box, { box, pre, source: pre.textContent }]
  }))

  const first = new Set([...diagrams.values()].slice(0, MOST))
  const beyond = (one: Diagram): string | undefined => {
    if (one.source.length > LONGEST) return `Its source is longer than ${LONGEST.toLocaleString("en")} characters`
    if (!first.has(one)) return `There are ${MOST} before it`
    return patience > 0 ? undefined : "Others of this document took too long"
  }

  const drawn = async (one: Diagram): Promise<void> => {
    const [wanted, { dark }] = [key, palette]
    const why = beyond(one)
    if (why !== undefined) {
      one.done = wanted
      // In other colours than before it stays as it was.
      if (one.picture === undefined) refuse(one, why)
      return
    }
    const answer = await draw({ source: one.source, palette, width: Math.max(320, one.box.clientWidth) })
    if ("late" in answer) patience--
    const image = "svg" in answer ? await loaded(answer.svg) : undefined
    one.done = wanted
    if (image !== undefined && "name" in answer) return show(one, image, answer.name, dark)
    if (one.picture === undefined) refuse(one, "fault" in answer ? answer.fault : "It becomes too large")
  }

  const isOpen = (one: Diagram): boolean => one.done === undefined || (one.picture !== undefined && one.done !== key)

  const drawNear = async (): Promise<void> => {
    for (;;) {
      const open = [...diagrams.values()].filter(isOpen)
      const next = open.find((one) => near.has(one)) ?? (far-- > 0 ? open[0] : undefined)
      if (next === undefined) return
      await drawn(next)
    }
  }
  const work = (): Promise<void> => working ??= drawNear().finally(() => (working = undefined))

  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const one = diagrams.get(target)!
      if (isIntersecting) near.add(one)
      else near.delete(one)
    }
    void work()
  }, { rootMargin: NEAR })
  for (const box of diagrams.keys()) observer.observe(box)

  // Paper has all of them, also those that nobody has come near.
  addEventListener("keydown", (event) => {
    if (!asksToPrint(event) || ![...diagrams.values()].some(isOpen)) return
    event.preventDefault()
    far = Infinity
    void work().then(() => print())
  })
  /** One by one, since drawing may keep the page waiting. */
  const rest = (ms = RESTS_MS): void => {
    clearTimeout(resting)
    resting = setTimeout(() => {
      resting = undefined
      far = Math.max(far, 1)
      void work().then(() => resting === undefined && [...diagrams.values()].some(isOpen) && rest(0))
    }, ms)
  }
  // Elsewhere the page would jump when one is drawn above the reader.
  if (CSS.supports("overflow-anchor", "auto")) {
    rest()
    for (const stirs of STIRS) addEventListener(stirs, () => rest(), { capture: true, passive: true })
  }

  const repaint = (): void => {
    palette = paletteOf(sheet)
    key = JSON.stringify(palette)
    void work()
  }
  new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] })
  for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) matchMedia(query).addEventListener("change", repaint)
}
