/** Formulas in MathML, which browsers draw by themselves, without a face, a style or a script of ours. What does not read as TeX stays as it is written. */
import type { Element, ElementContent } from "hast"
import { FORMULA } from "./formulas.ts"
import { become, element, everyElement, isElement, text, textOf } from "./tree.ts"
import type { Child, Parent } from "./tree.ts"

/** Characters of all formulas that are drawn: as MathML each takes some thirty. */
const IN_ALL = 128 * 1024

const LIMITS = { maxExpand: 200, maxSize: [20, 200], strict: false, throwOnError: true, trust: false }

const ELEMENTS = new Set([
  "math", "menclose", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace",
  "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover"
])

const ATTRIBUTES = new Set([
  "accent", "accentunder", "columnspan", "depth", "display", "displaystyle", "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize",
  "minsize", "movablelimits", "notation", "rowspan", "rspace", "scriptlevel", "separator", "stretchy", "symmetric", "voffset", "width"
])

/** What encloses a part, of that which markdown.css draws where the browser does not. */
const ENCLOSED = /^(?:bottom|box|horizontalstrike|top|(?:down|up)diagonalstrike|updiagonalstrike downdiagonalstrike)$/

/** A node as the library makes it: an element, a text, or several nodes of neither kind. */
interface Drawn {
  readonly type?: string
  readonly text?: string
  readonly children?: ReadonlyArray<Drawn>
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly classes?: ReadonlyArray<string>
  readonly style?: Readonly<Record<string, string>>
}

const nodesOf = ({ attributes = {}, children = [], classes = [], style = {}, text: words, type }: Drawn): ReadonlyArray<ElementContent> => {
  if (words !== undefined) return [text(words)]
  const inside = children.flatMap(nodesOf)
  if (type === undefined) return inside
  if (!ELEMENTS.has(type) || (type === "menclose" && !ENCLOSED.test(String(attributes["notation"])))) throw new Error(`No <${type}> in a formula`)
  const kept = Object.entries(attributes).filter(([name]) => ATTRIBUTES.has(name)).map(([name, value]) => [name, String(value)])
  const colour = /^#[\da-f]{3,8}$/i.test(style["color"] ?? "") ? { mathcolor: style["color"]! } : {}
  const lines = ["border", "borderTop", "borderRight", "borderBottom", "borderLeft"].filter((name) => style[name] !== undefined).map((name) => `tml-${name.toLowerCase()}`)
  const own = [...classes.filter((name) => name.startsWith("tml-")), ...lines]
  return [element(type, { ...Object.fromEntries(kept), ...colour, ...(own.length > 0 && { className: own }) }, inside)]
}

/** As the package is; its types describe another form of it. */
interface Temml {
  readonly default: { readonly __renderToMathMLTree: (tex: string, options: object) => Drawn }
}

type Draw = (tex: string, displayMode: boolean) => Element | undefined

const drawer = async (): Promise<Draw> => {
  const { default: temml } = await import("temml") as unknown as Temml
  let left = IN_ALL
  return (tex, displayMode) => {
    if (tex.trim() === "" || tex.length > left) return undefined
    left -= tex.length
    try {
      const [math] = nodesOf(temml.__renderToMathMLTree(tex, { ...LIMITS, displayMode }))
      if (!isElement(math)) return undefined
      math.properties["alttext"] = tex.trim()
      return math
    } catch {
      return undefined
    }
  }
}

const isNamed = ({ properties: { className }, tagName }: Element, name: string): boolean => tagName === "code" && Array.isArray(className) && className[0] === name

/** What encloses a formula, as formulas.ts and brackets.ts find it; a fence has neither. */
const enclosed = /^(?:(\$\$?)([^]*?)\1|(\\[([])([^]*)\\[)\]])$/

/** Words between spaces, without a sign of TeX, are what lies between two prices: `$$ to $$`. */
const isWords = (tex: string): boolean => /^\s|\s$/.test(tex) && /\p{L}{2}/u.test(tex) && !/[\\^_{}=+\-*/<>|\d]/.test(tex)

/** Whose dollars are words like all else in them. */
const CODE = new Set(["code", "kbd", "pre", "samp"])

/** `isDrawn` false leaves all of them as they are written. */
export const drawFormulas = async (root: Parent, isDrawn: boolean): Promise<void> => {
  const found: Array<readonly [code: Element, parent: Parent]> = []
  everyElement(root, (one, parent) => (isNamed(one, FORMULA) || isNamed(one, "language-math")) && found.push([one, parent]))
  if (found.length === 0) return
  const draw: Draw = isDrawn ? await drawer() : () => undefined
  const instead = new Map<Child, ElementContent>()
  for (const [code, parent] of found) {
    const written = textOf(code)
    const [, dollars, inDollars, bracket, inBrackets = written] = enclosed.exec(written.trim()) ?? []
    const tex = inDollars ?? inBrackets
    const around = parent.type === "element" ? parent : undefined
    const isBlock = around?.tagName === "pre" && around.children.length === 1
    const math = (!isBlock && CODE.has(around?.tagName ?? "")) || isWords(tex) ? undefined : draw(tex, dollars !== "$" && bracket !== "\\(")
    if (around !== undefined && isBlock && math !== undefined) become(around, element("div", { className: ["formula"], tabIndex: 0, role: "group", ariaLabel: "Formula" }, [math]))
    if (!isBlock && isNamed(code, FORMULA)) instead.set(code, math ?? text(written))
  }
  for (const parent of new Set(found.map(([, parent]) => parent))) {
    parent.children = (parent.children as Array<ElementContent>).map((child) => instead.get(child) ?? child)
  }
}
