/** Pictures that were taken out of a document before it was parsed: their names in its tree become addresses, or are told to stay. */
import type { Source } from "../../domain/ports/renderer.ts"
import { everyElement, textOf } from "./tree.ts"
import type { Parent } from "./tree.ts"

export type Pictures = NonNullable<Source["pictures"]>

/** The address of the picture that an image has in place of one; undefined if it has none. */
export const addressOf = (src: unknown, { address, mark }: Pictures): string | undefined => {
  const [, name, place] = typeof src === "string" ? /^data:image\/[a-z]+;base64,(picture-[0-9a-f]+)-(\d+-\d+)$/.exec(src) ?? [] : []
  return name === mark ? `${address}&picture=${place}` : undefined
}

/** Where those begin whose names stand in a text. */
const namedIn = (text: string, { mark }: Pictures): ReadonlyArray<number> =>
  text.includes(mark) ? [...text.matchAll(new RegExp(`${mark}-(\\d+)-`, "g"))].map(([, from]) => Number(from)) : []

/** A text for people: where a picture was, it says that something is left out. */
export const withoutNames = (text: string, { mark }: Pictures): string => text.replaceAll(new RegExp(`${mark}-\\d+-\\d+`, "g"), "…")

/** Where those begin that do not stand as an image: in code, for example, where their own text is to be read. */
export const spilledIn = (root: Parent, title: string | null, pictures: Pictures): ReadonlyArray<number> => {
  const spilled = [...namedIn(textOf(root), pictures), ...namedIn(title ?? "", pictures)]
  everyElement(root, ({ properties, tagName }) => {
    for (const [name, value] of Object.entries(properties)) {
      if (tagName === "img" && name === "src" && addressOf(value, pictures) !== undefined) continue
      spilled.push(...namedIn(String(value), pictures))
    }
  })
  return spilled
}
