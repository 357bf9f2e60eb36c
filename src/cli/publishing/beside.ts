/** Which files a page shows or links to that lie beside it on disk, and which pictures a Markdown shows: published alone, it goes live without them. */
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { parse } from "parse5"
import type { DefaultTreeAdapterTypes } from "parse5"
import { namesImage, namesMarkdown, pathFault } from "../../domain/projects/file-paths.ts"
import type { LoneFile } from "./publishing.ts"

/** A longer page mostly holds all that it shows, and would take seconds to read. */
const LONGEST = 1024 * 1024
/** Files that are looked for; nobody needs to hear of more. */
const MOST = 500

const NAMES = new Set(["data", "href", "poster", "src"])

type Element = DefaultTreeAdapterTypes.Element

const elementsOf = (html: string): ReadonlyArray<Element> => {
  const elements: Array<Element> = []
  const waiting: Array<DefaultTreeAdapterTypes.Node> = [parse(html)]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ("attrs" in node) elements.push(node)
    if ("content" in node) waiting.push(node.content)
    if ("childNodes" in node) for (let at = node.childNodes.length; at > 0;) waiting.push(node.childNodes[--at]!)
  }
  return elements
}

/** The paths that a page names, in NFC as they are published, read as if its folder was the site: from `/` on, and none outside. */
export const pathsNamed = (html: string, page: string): ReadonlyArray<string> => {
  const own = new URL(encodeURIComponent(page), "http://folder.invalid/")
  const given = elementsOf(html).flatMap(({ attrs, tagName }) => attrs.filter(({ name }) => NAMES.has(name)).map(({ value }) => ({ tagName, value })))
  const base = URL.parse(given.find(({ tagName }) => tagName === "base")?.value ?? "", own) ?? own
  const paths = given.flatMap(({ tagName, value }) => {
    const url = tagName === "base" ? null : URL.parse(value, base)
    try {
      return url?.origin === own.origin ? [decodeURIComponent(url.pathname.slice(1)).normalize("NFC")] : []
    } catch {
      return []
    }
  })
  return [...new Set(paths)].filter((path) => path !== page.normalize("NFC") && pathFault(path) === undefined)
}

export const isMarkdown = ({ name = "", type = "" }: Pick<LoneFile, "name" | "type">): boolean => namesMarkdown(name) || /^text\/markdown\b/i.test(type)

/** Where a picture is shown, and where a name is given to an address: it goes with pictures alone. */
const SHOWN = /(?:!\[[^\]\n]{0,500}\]\(|^ {0,3}\[[^\]\n]{1,500}\]:)[ \t]*(?:<([^<>"\n]+)>|([^\s<>()"]+))/gm

const picturesNamed = (markdown: string, page: string): ReadonlyArray<string> =>
  pathsNamed(markdown.replaceAll(SHOWN, (_, quoted: string | undefined, plain: string) => `<img src="${quoted ?? plain}">`), page).filter((path) => namesImage(path))

const isFile = (at: string): Promise<boolean> => stat(at).then((found) => found.isFile(), () => false)

/** Whatever form the names on disk are in: on Linux those of a Mac's archive stay decomposed. */
const lies = async (folder: string, path: string): Promise<boolean> => {
  if (await isFile(join(folder, path))) return true
  if (!/[^\0-\x7f]/.test(path)) return false
  let places = [folder]
  for (const part of path.split("/")) {
    const within = await Promise.all(places.map((place) => readdir(place).then((names) => names.filter((name) => name.normalize("NFC") === part).map((name) => join(place, name)), () => [])))
    places = within.flat()
  }
  return (await Promise.all(places.map(isFile))).includes(true)
}

/** In the order in which the page names them; none where it cannot be read any more, since it is live by then. */
export const besidePage = async (file: LoneFile): Promise<ReadonlyArray<string>> => {
  const { from, name = "", size, type = "" } = file
  const isPage = /\.html?$/i.test(name) || /^text\/html\b/i.test(type)
  if (size > LONGEST || !(isPage || isMarkdown(file))) return []
  const named = (isPage ? pathsNamed : picturesNamed)(await readFile(from, "utf8").catch(() => ""), basename(from)).slice(0, MOST)
  const there = await Promise.all(named.map((path) => lies(dirname(from), path)))
  return named.filter((_, at) => there[at])
}
