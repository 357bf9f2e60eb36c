/** A video in the browser's own player, with the captions and the poster image of the same name in its version. */
import { html } from "../../../look/html.ts"
import type { Html } from "../../../look/html.ts"
import type { KindViewer } from "./kind-viewer.ts"

const stem = (path: string): string => path.replace(/\.[^./]+$/, "")

/** `talk.vtt`, or `talk.de.vtt` for one language of several. */
const captions = (path: string, of: string): { readonly language: string } | undefined => {
  if (!path.toLowerCase().endsWith(".vtt") || !path.startsWith(`${of}.`)) return undefined
  const between = path.slice(of.length + 1, -"vtt".length).replace(/\.$/, "")
  return /^(?:[a-z]{2,3}(?:-[a-z\d]{2,8})*)?$/i.test(between) ? { language: between } : undefined
}

const named = (language: string): string => {
  if (language === "") return "Captions"
  try {
    return new Intl.DisplayNames([language, "en"], { type: "language" }).of(language) ?? language
  } catch {
    return language
  }
}

export const videoBody: KindViewer["body"] = ({ files, name, pinned, raw, title }) => {
  const of = stem(name)
  const still = Object.keys(files).find((path) => path !== name && stem(path) === of && files[path]!.type.startsWith("image/"))
  const tracks = Object.keys(files).flatMap((path): Array<Html> => {
    const found = captions(path, of)
    return found === undefined ? [] : [
      html`<track kind="captions" src="${raw(path)}" label="${named(found.language)}"${found.language !== "" && html` srclang="${found.language}"`}>`
    ]
  })
  return html`<div class="table"><video id="video" controls playsinline preload="metadata" src="${pinned}"${
    still !== undefined && html` poster="${raw(still)}"`
  } aria-label="${title}">${tracks}<a href="${raw(name)}">Open the video</a></video></div>`
}
