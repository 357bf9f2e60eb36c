/**
 * Links and images: ids made unique, `#` links resolved to them, images only from the same version or the document itself; no
 * other site learns who reads.
 */
import type { Element } from "hast"
import { destinationOf } from "./addresses.ts"
import type { Destination } from "./addresses.ts"
import { PREFIX } from "./allowed.ts"
import { addressOf } from "./pictures.ts"
import type { Pictures } from "./pictures.ts"
import { become, element, everyElement, text } from "./tree.ts"
import type { Parent } from "./tree.ts"

export interface Surroundings {
  readonly path: string
  readonly images: ReadonlySet<string>
  readonly pictures: Pictures | undefined
}

interface Targets {
  readonly ids: ReadonlySet<string>
  readonly headings: ReadonlyMap<string, string>
}

/** The id of a heading without letters, such as a picture: no other heading gets it. */
const UNNAMED = `${PREFIX}.`

/** Schemes as the sanitiser compares them: a telephone writes `Https://`. */
export const lowerSchemes = (root: Parent): void => {
  everyElement(root, ({ properties }) => {
    for (const name of ["href", "src"]) {
      const address = properties[name]
      if (typeof address === "string") properties[name] = address.replace(/^[a-z][a-z\d+.-]*:/i, (scheme) => scheme.toLowerCase())
    }
  })
}

/** Makes every id unique, keeping the first as it was; an old `<a name>` counts as an id. */
export const uniqueIds = (root: Parent): ReadonlySet<string> => {
  const seen = new Set<string>()
  const next = new Map<string, number>()
  everyElement(root, ({ properties, tagName }) => {
    const said = properties["id"] ?? properties["name"]
    const wanted = said === PREFIX && /^h[1-6]$/.test(tagName) ? UNNAMED : said
    delete properties["name"]
    if (typeof wanted !== "string" || wanted === PREFIX) return void delete properties["id"]
    let id = wanted
    for (let count = next.get(wanted) ?? 1; seen.has(id); count++) {
      id = `${wanted}-${count}`
      next.set(wanted, count + 1)
    }
    seen.add(id)
    properties["id"] = id
  })
  return seen
}

const decodedHash = (hash: string): string => {
  try {
    return decodeURIComponent(hash.slice(1))
  } catch {
    return hash.slice(1)
  }
}

/** Its letters and digits, those of an emoji such as 1️⃣ among them. */
const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]|[\ufe0e\ufe0f\u20e3]/gu, "")

/** Headings by their letters, the first of each: a table of contents may say an emoji, an apostrophe or a dash of theirs otherwise. */
const headingsIn = (root: Parent): ReadonlyMap<string, string> => {
  const headings = new Map<string, string>()
  everyElement(root, ({ properties: { id }, tagName }) => {
    if (!/^h[1-6]$/.test(tagName) || typeof id !== "string") return
    const letters = lettersOf(id.slice(PREFIX.length))
    if (letters !== "" && !headings.has(letters)) headings.set(letters, id)
  })
  return headings
}

/** The id that a hash means: as written, or in lower case, as other renderers make the ids of headings, or that of a heading in the same letters. */
const idFor = (hash: string, { headings, ids }: Targets): string | undefined => {
  const name = decodedHash(hash)
  return [PREFIX + name, PREFIX + name.toLowerCase(), name].find((id) => ids.has(id)) ?? headings.get(lettersOf(name))
}

const outward = (href: string) => ({ href, target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] })

const link = (anchor: Element, targets: Targets, { path }: Surroundings): void => {
  const { href } = anchor.properties
  if (typeof href !== "string") return
  const to = destinationOf(href, path)
  delete anchor.properties["href"]
  if (to === undefined) return
  if (to.where === "elsewhere") return void Object.assign(anchor.properties, outward(to.href))
  const id = to.where === "document" && to.href !== "#" ? idFor(to.href, targets) : undefined
  anchor.properties["href"] = id === undefined ? to.href : `#${encodeURIComponent(id)}`
}

const aside = (words: string, to: Destination | undefined, inLink: boolean, theme: ReadonlyArray<string>): Element => {
  const shown = [text(words)]
  return to?.where === "elsewhere" && !inLink
    ? element("a", { className: ["image-elsewhere", ...theme], ...outward(to.href) }, shown)
    : element("span", { className: ["image-missing", ...theme] }, shown)
}

/** A picture embedded in the document: only pixels, since a drawing in SVG is a document of its own. */
const isInline = (src: string): boolean => {
  const type = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/.exec(src)?.[0]
  return type !== undefined && src.length > type.length && !/[^A-Za-z0-9+/=]/.test(src.slice(type.length))
}

/** The theme that a picture is for, as GitHub's documents say behind its address; it is hidden in the other one. */
const themeOf = (src: unknown): string | undefined => typeof src === "string" ? /#gh-(dark|light)-mode-only$/.exec(src)?.[1] : undefined

const image = (img: Element, inLink: boolean, { images, path, pictures }: Surroundings): void => {
  const { alt, height, src, title, width } = img.properties
  const lifted = pictures && addressOf(src, pictures)
  const inline = lifted ?? (typeof src === "string" && isInline(src) ? src : undefined)
  const to = typeof src === "string" && inline === undefined ? destinationOf(src, path) : undefined
  const words = typeof alt === "string" ? alt.trim() : ""
  const only = themeOf(src)
  const theme = only === undefined ? [] : [`only-${only}`]
  const own = to?.where === "project" && images.has(to.path) ? `/${to.path.split("/").map(encodeURIComponent).join("/")}` : inline
  if (own === undefined) {
    return become(img, aside(words || (to?.where === "elsewhere" ? `Image on ${new URL(to.href).host}` : "Image"), to, inLink, theme))
  }
  // A lifted one is there only until the next publish: it comes with the page, as if it still stood in the text.
  img.properties = { src: own, alt: words, ...(lifted === undefined && { loading: "lazy" }), decoding: "async" }
  if (theme.length > 0) img.properties["className"] = theme
  for (const [name, value] of Object.entries({ height, title, width })) if (value !== undefined) img.properties[name] = value
}

export const leadLinks = (root: Parent, ids: ReadonlySet<string>, surroundings: Surroundings): void => {
  const linked = new Set<Parent>()
  const targets: Targets = { ids, headings: headingsIn(root) }
  everyElement(root, (one, parent) => {
    const inLink = linked.has(parent) || (parent.type === "element" && parent.tagName === "a")
    if (inLink) linked.add(one)
    if (one.tagName === "a") link(one, targets, surroundings)
    else if (one.tagName === "img") image(one, inLink, surroundings)
  })
}
