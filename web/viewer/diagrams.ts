/**
 * Runs in the frame of `/_svc/diagrams`, which has no origin: draws one diagram after the other, and hands each back as a picture that
 * stands by itself. The page around it shows it as an image, where nothing runs and nothing is loaded.
 */
import type { Mermaid } from "mermaid"
import { isOver, watchClock, within } from "./deadline.ts"
import { FACE, journey, variables } from "./diagram-colours.ts"
import type { Answer, Ask, Palette } from "./kinds/markdown/drawing.ts"
import { legible } from "./legible.ts"

/** Of what the author may set in a diagram, these stay ours: what keeps it harmless, and what fits it to the page. */
const OURS = [
  "secure", "securityLevel", "startOnLoad", "maxTextSize", "maxEdges", "suppressErrorRendering", "htmlLabels", "dompurifyConfig", "logLevel", "legacyMathML", "forceLegacyMathML",
  "theme", "themeVariables", "themeCSS", "darkMode", "fontFamily", "altFontFamily"
]
const EDGES = 400
const DRAWN_MS = 5_000
/** Narrower columns scroll: what is laid out in the width that there is needs so much of it. */
const NARROWEST = 720
/** It moves for nobody who asks for stillness, and letters that come out wider than they were measured are not cut off. */
const STYLE = "foreignObject { overflow: visible } @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }"

const told = (answer: Answer): void => parent.postMessage(answer, "*")

const prepare = (mermaid: Mermaid, palette: Palette, longest: number): void =>
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    secure: OURS,
    maxTextSize: longest + 1,
    maxEdges: EDGES,
    suppressErrorRendering: true,
    logLevel: 5,
    // In an image HTML runs nothing and loads nothing either, and it shows what authors write in labels: weights, lines, formulas.
    htmlLabels: true,
    look: "classic",
    theme: "base",
    darkMode: palette.dark,
    fontFamily: FACE,
    themeVariables: variables(palette),
    // As everywhere else; the other engine, four times as large, is loaded for diagrams that name it.
    ...Object.fromEntries(["flowchart", "state", "class", "er", "requirement"].map((kind) => [kind, { layout: "dagre" }])),
    sequence: { actorFontFamily: FACE, noteFontFamily: FACE, messageFontFamily: FACE },
    journey: { taskFontFamily: FACE, ...journey(palette) }
  })

/** Its size is that of its view, wherever it is shown. */
const sized = (svg: SVGSVGElement, { line }: Palette): void => {
  const { height, width } = svg.viewBox.baseVal
  svg.removeAttribute("style")
  svg.setAttribute("width", String(Math.ceil(width)))
  svg.setAttribute("height", String(Math.ceil(height)))
  svg.style.color = line
  svg.append(Object.assign(document.createElementNS("http://www.w3.org/2000/svg", "style"), { textContent: STYLE }))
}

const words = (svg: SVGSVGElement, name: string): string => svg.querySelector(`:scope > ${name}`)?.textContent?.trim() ?? ""

const draw = async (mermaid: Mermaid, { id, palette, source, width }: Ask): Promise<Answer> => {
  const room = document.createElement("div")
  room.style.width = `${Math.max(NARROWEST, width)}px`
  document.body.replaceChildren(room)
  within(DRAWN_MS)
  try {
    prepare(mermaid, palette, source.length)
    // Signs that no picture may hold.
    const text = source.replace(/[^\t\n\r\x20-\uffff]|[\ufffe\uffff]/g, "").toWellFormed()
    room.innerHTML = (await mermaid.render(`diagram-${id}`, text, room)).svg
    const svg = room.querySelector("svg")!
    sized(svg, palette)
    legible(svg, palette.muted)
    return { id, name: [words(svg, "title"), words(svg, "desc")].filter((one) => one !== "").join(". "), svg: new XMLSerializer().serializeToString(svg) }
  } catch (fault) {
    return { id, fault: fault instanceof Error ? fault.message : "", late: isOver() }
  } finally {
    if (!isOver()) within()
    document.body.replaceChildren()
  }
}

// By itself, in no frame, this page does nothing.
if (parent !== window) {
  watchClock()
  const address = document.querySelector<HTMLLinkElement>("link[rel=modulepreload]")!.href
  const { default: mermaid } = await import(/* @vite-ignore */ address) as { readonly default: Mermaid }
  addEventListener("message", ({ data, source }: MessageEvent<Ask>) => {
    if (source === parent) void draw(mermaid, data).then(told)
  })
  told({ id: 0, ready: true })
}
