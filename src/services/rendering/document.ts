/**
 * One document, from Markdown to HTML:
 *
 * 1. GitHub's Markdown is parsed, front matter aside; HTML in it becomes part of the same tree, as a browser would read it;
 *    formulas keep their signs, and so do tags that are words.
 * 2. Everything but text and its structure is removed from that tree (allowed.ts).
 * 3. Only then come links, headings, alerts, sides, formulas, diagrams, code and boxes: what is put in from here on is our own.
 */
import type { Root } from "hast"
import type { Root as MarkdownRoot } from "mdast"
import rehypeRaw from "rehype-raw"
import rehypeSanitize from "rehype-sanitize"
import rehypeSlug from "rehype-slug"
import rehypeStringify from "rehype-stringify"
import remarkCjkFriendly from "remark-cjk-friendly"
import remarkGfm from "remark-gfm"
import remarkParse from "remark-parse"
import remarkRehype from "remark-rehype"
import { unified } from "unified"
import type { Rendered, Source } from "../../domain/ports/renderer.ts"
import { frontMatterOf } from "../../domain/projects/documents/titles.ts"
import { markAlerts, nameAlerts } from "./alerts.ts"
import { allowed, PREFIX } from "./allowed.ts"
import { bounded } from "./bounds.ts"
import { boxUp, inParts } from "./boxes.ts"
import { formulasInBrackets, settleBrackets } from "./brackets.ts"
import { highlight, markDiagrams } from "./code.ts"
import { formulasInLines, keepFormulas } from "./formulas.ts"
import { titleIn } from "./front-matter.ts"
import { leadLinks, lowerSchemes, uniqueIds } from "./links.ts"
import { outline } from "./outline.ts"
import { drawFormulas } from "./mathml.ts"
import { spilledIn } from "./pictures.ts"
import { takeSides } from "./sides.ts"
import { keepStrayTags } from "./stray-tags.ts"
import { tildesOfRanges } from "./tildes.ts"
import { element, everyElement, text } from "./tree.ts"

const parser = unified().use(remarkParse).use(remarkGfm).use(formulasInLines).use(formulasInBrackets).use(remarkCjkFriendly).use(tildesOfRanges).use(bounded)
// The sanitiser prefixes the ids instead.
const safely = unified()
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: "" })
  .use(rehypeRaw)
  .use(rehypeSlug)
  .use(() => lowerSchemes)
  .use(rehypeSanitize, allowed)
const writer = unified().use(rehypeStringify)

const hasTitle = (root: Root): boolean => {
  let found = false
  everyElement(root, ({ tagName }) => found ||= tagName === "h1")
  return found
}

/** Characters of HTML, more than browsers show at ease: what becomes longer was made to. */
const MOST = 32 * 1024 * 1024

export const renderDocument = async (source: Source, options: { readonly colours: boolean }): Promise<Rendered> => {
  const matter = frontMatterOf(source.text)
  const words = source.text.slice(matter?.length ?? 0)
  const markdown: MarkdownRoot = parser.parse(words)
  keepFormulas(markdown, words)
  settleBrackets(markdown)
  keepStrayTags(markdown)
  const title = titleIn(matter)
  const root = await safely.run(markdown) as Root
  const spilled = source.pictures === undefined ? [] : spilledIn(root, title, source.pictures)
  if (spilled.length > 0) return { html: "", headings: [], title: null, spilled }
  if (title !== null && !hasTitle(root)) {
    root.children.unshift(element("h1", { id: `${PREFIX}title` }, [text(title)]))
  }
  const ids = uniqueIds(root)
  leadLinks(root, ids, { path: source.path, images: new Set(source.images), pictures: source.pictures })
  const headings = outline(root)
  const alerts = markAlerts(root)
  takeSides(root)
  nameAlerts(alerts)
  await drawFormulas(root, options.colours)
  markDiagrams(root)
  if (options.colours) await highlight(root)
  boxUp(root)
  inParts(root)
  const html = writer.stringify(root)
  if (html.length > MOST) throw new Error("The document became too long.")
  return { html, headings, title: title ?? headings[0]?.text ?? null }
}
