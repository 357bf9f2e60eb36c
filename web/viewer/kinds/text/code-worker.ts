/** Finds the colours of code, block by block, in a thread of its own: an author's file decides how long that takes. */
import { createCssVariablesTheme, createHighlighterCore } from "shiki/core"
import type { GrammarState, LanguageRegistration } from "shiki/core"
import { createJavaScriptRegexEngine } from "shiki/engine/javascript"

/** `languages`: a grammar, after those that it builds on. */
export interface Code {
  readonly text: string
  readonly blocks: ReadonlyArray<{ readonly start: number; readonly end: number }>
  readonly languages: ReadonlyArray<LanguageRegistration>
}

/** Of one block, in order: from where on each kind of token holds, as offsets in the whole text; "" for plain words. */
export interface Found {
  readonly starts: ReadonlyArray<number>
  readonly kinds: ReadonlyArray<string>
}

/** Longer lines stay plain: they were not written by people. */
const IN_LINE = 1_000

/** A line whose time is up is in one colour from there to its end, a wrong one: on a busy machine, that is the first line. */
const NO_LIMIT = 0

const THEME = "svc"
const KIND = /^var\(--t-token-(.+)\)$/

const find = async ({ blocks, languages, text }: Code): Promise<void> => {
  const core = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: THEME, variablePrefix: "--t-", fontStyle: false })],
    langs: [[...languages]],
    engine: createJavaScriptRegexEngine({ forgiving: true })
  })
  let state: GrammarState | undefined
  for (const { end, start } of blocks) {
    // The end of a line that began in the block before stays plain, as all of that line is.
    const next = start === 0 ? 0 : text.indexOf("\n", start - 1) + 1
    const from = next === 0 && start > 0 ? end : Math.min(next, end)
    const lines = core.codeToTokensBase(text.slice(from, end).replace(/\n$/, ""), {
      lang: languages.at(-1)!.name, theme: THEME, tokenizeMaxLineLength: IN_LINE, tokenizeTimeLimit: NO_LIMIT, ...(state !== undefined && { grammarState: state })
    })
    state = core.getLastGrammarState(lines)
    const tokens = lines.flat().map(({ color, offset }) => ({ at: from + offset, kind: KIND.exec(color ?? "")?.[1] ?? "" }))
    if (from > start) tokens.unshift({ at: start, kind: "" })
    const begun = tokens.filter(({ kind }, at) => at === 0 || kind !== tokens[at - 1]!.kind)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none.
    postMessage({ starts: begun.map(({ at }) => at), kinds: begun.map(({ kind }) => kind) } satisfies Found)
  }
}

addEventListener("message", ({ data }: MessageEvent<Code>) => void find(data))
