/** Code in colours: classes that our own styles know, grammars loaded when first needed, and limits on how much is coloured. */
import type { Element, ElementContent } from "hast"
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core"
import type { HighlighterCore } from "shiki/core"
import { createOnigurumaEngine } from "shiki/engine/oniguruma"
import { bundledLanguages } from "shiki/langs"
import { element, everyElement, isElement, text, textOf } from "./tree.ts"
import type { Parent } from "./tree.ts"

/** Highlighting takes most of a document's rendering time: code beyond these limits stays plain. */
const IN_ALL = 200 * 1024
const IN_BLOCK = 64 * 1024
const IN_LINE = 1_000
const LANGUAGES = 12

const THEME = "svc"
const VARIABLE = /^var\(--t-(?:token-)?(.+)\)$/

let made: Promise<HighlighterCore> | undefined

const highlighter = (): Promise<HighlighterCore> =>
  made ??= createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--t-", fontStyle: false })],
    langs: [],
    engine: createOnigurumaEngine(import("shiki/wasm"))
  })

const nameOf = (code: Element): string => {
  const { className } = code.properties
  // What follows a comma or brace is for other programs: `rust,ignore`, `js{1,3}`.
  return String(Array.isArray(className) ? className[0] ?? "" : "").replace(/^language-/, "").replace(/(?<=.)[,{:].*$/, "").toLowerCase()
}

const languageOf = (code: Element): keyof typeof bundledLanguages | undefined => {
  const language = nameOf(code)
  return Object.hasOwn(bundledLanguages, language) ? language as keyof typeof bundledLanguages : undefined
}

const kindOf = (colour: string | undefined): string | undefined => {
  const kind = VARIABLE.exec(colour ?? "")?.[1]
  return kind === "foreground" || kind === "background" ? undefined : kind
}

const coloured = async (source: string, language: keyof typeof bundledLanguages): Promise<Array<ElementContent>> => {
  const core = await highlighter()
  if (!core.getLoadedLanguages().includes(language)) await core.loadLanguage(bundledLanguages[language])
  // No time limit, which would colour the same text differently on a busy day: the thread as a whole has one.
  const lines = core.codeToTokensBase(source, {
    lang: language, theme: THEME, tokenizeMaxLineLength: IN_LINE, tokenizeTimeLimit: 0
  })
  const runs: Array<{ kind: string | undefined; words: string }> = []
  const add = (kind: string | undefined, words: string) => {
    const last = runs.at(-1)
    // Spaces have no colour: they join whatever comes before them.
    if (last !== undefined && (last.kind === kind || words.trim() === "")) last.words += words
    else runs.push({ kind, words })
  }
  lines.forEach((line, at) => {
    if (at > 0) add(undefined, "\n")
    for (const { color, content } of line) add(kindOf(color), content)
  })
  return runs.map(({ kind, words }) => kind === undefined ? text(words) : element("span", { className: [`t-${kind}`] }, [text(words)]))
}

const blocksIn = (root: Parent): ReadonlyArray<readonly [pre: Element, code: Element]> => {
  const blocks: Array<readonly [Element, Element]> = []
  everyElement(root, (pre) => {
    const [code] = pre.children
    if (pre.tagName === "pre" && pre.children.length === 1 && isElement(code) && code.tagName === "code") blocks.push([pre, code])
  })
  return blocks
}

/** Names the blocks that the viewer may draw: code until then, and wherever no script runs. */
export const markDiagrams = (root: Parent): void => {
  for (const [pre, code] of blocksIn(root)) if (nameOf(code) === "mermaid") pre.properties["className"] = ["mermaid"]
}

/** Keeps a block's text as it is: only colours are added. */
export const highlight = async (root: Parent): Promise<void> => {
  let left = IN_ALL
  const met = new Set<string>()
  for (const [, code] of blocksIn(root)) {
    const language = languageOf(code)
    const source = textOf(code)
    delete code.properties["className"]
    if (language === undefined || source.length > IN_BLOCK || source.length > left) continue
    if (!met.has(language) && met.size === LANGUAGES) continue
    met.add(language)
    left -= source.length
    code.children = await coloured(source, language)
  }
}
