/** What files that are published together become, and which changes of its files a project takes (SPEC §3, CONTRACT §8). */
import { Effect, Result } from "effect"
import { invalid } from "../failures.ts"
import type { Invalid } from "../failures.ts"
import { assetAt } from "../hosting/model.ts"
import type { Manifest } from "../hosting/model.ts"
import { extensionOf } from "./documents/file-names.ts"
import { documentOf, filePath, lonePage, lookForClash, namesImage, namesMarkdown, namesVideo, refusedPath, spelled, topFolder } from "./file-paths.ts"
import { MAX_FILES } from "./model.ts"
import type { Kind, Project } from "./model.ts"
import { unlike } from "./documents/unshown.ts"

/** A site's first page. */
export const INDEX = "index.html"

/** Refuses two files at one path, a file where another needs a folder, and names that are too long together. */
export const distinct = Effect.fnUntraced(function*(paths: ReadonlyArray<string>) {
  const looking = lookForClash(paths)
  let step = looking.next()
  for (; step.done !== true; step = looking.next()) yield* Effect.yieldNow
  if (step.value === undefined) return
  const { message, path } = step.value
  return yield* invalid({ field: "file", message: path === undefined ? message : `${message} (${path})` })
})

/** Published one by one, Markdown files would lose their pictures and the links between them. */
export const noIndex = (paths: ReadonlyArray<string>) => {
  const page = lonePage(paths)
  const deeper = paths.filter((path) => path.endsWith(`/${INDEX}`)).toSorted((a, b) => a.split("/").length - b.split("/").length)[0]
  const instead = deeper !== undefined
    ? `There is ${deeper}: publish only what is in ${deeper.slice(0, -INDEX.length)}, if that is it.`
    : page !== undefined
    ? `Rename ${page} to ${INDEX}, if that is it.`
    : paths.some(namesMarkdown)
    ? "Add one that links to the rest. A single Markdown file with its pictures needs none, unless they are zipped."
    : "Add one, or publish the files one by one."
  return invalid({ field: "file", message: `This folder has no ${INDEX}, its first page. ${instead}` })
}

/** What a version holds. */
export interface Held {
  readonly kind: Kind
  readonly entry: string
  readonly manifest: Manifest
}

/** The name that a version's entry came under, by which it may be sent again or removed; undefined where another file has that name by now. */
export const otherName = ({ entry, manifest }: Held): string | undefined => {
  const name = assetAt(manifest, entry)?.name
  return name === undefined || assetAt(manifest, name) !== undefined ? undefined : name
}

/** The files of a project's next version: those it holds without the removed ones, and the new ones over them. */
export const merged = Effect.fnUntraced(function*<A>(
  held: Readonly<Record<string, A>>,
  added: ReadonlyArray<readonly [path: string, asset: A]>,
  removed: ReadonlyArray<string>
) {
  const gone = removed.find((path) => !Object.hasOwn(held, spelled(path)))
  if (gone !== undefined) return yield* invalid({ field: "delete", message: `There is no file named ${gone}.` })
  const without = new Set(removed.map(spelled))
  const files = Object.fromEntries([...Object.entries(held).filter(([path]) => !without.has(path)), ...added])
  const paths = Object.keys(files)
  yield* distinct(paths)
  if (paths.length > MAX_FILES) return yield* invalid({ field: "file", message: `A site may hold ${MAX_FILES} files.` })
  return files
})

/** Documents that other files go with, and what such a project may hold. */
export const HOLDS: Partial<Record<Kind, string>> = { markdown: "one Markdown file with its images", video: "one video with its still and captions" }

/** A document that nothing goes with takes no files, only others in its place. `instead`: what the caller should do otherwise, in the terms of the API or of the agents' tools. */
export const takesFiles = (
  { kind }: Pick<Project, "kind">,
  left: ReadonlyArray<string>,
  added: ReadonlyArray<NamedFile>,
  instead: string
): Result.Result<void, Invalid> =>
  kind === null || kind === "site" || HOLDS[kind] !== undefined || (left.length === 0 && added.length > 0)
    ? Result.succeed(undefined)
    : Result.fail(invalid({ field: "file", message: `This project is a single file. ${instead}` }))

/** Whether one text that an agent sends takes the place of the one Markdown, whose images stay. Under another name it may be meant as another file; under its own, a text is Markdown, whatever the name says. */
export const takesPlace = (
  { fileCount, kind }: Pick<Project, "fileCount" | "kind">,
  sent: Kind | "zip" | undefined,
  name: string | undefined,
  entry: string
): boolean => {
  const isItsName = name !== undefined && spelled(name) === entry
  return kind === "markdown" && fileCount > 1 && (sent === "markdown" ? name === undefined || isItsName : sent === "text" && isItsName)
}

/** An agent that sends one text means one file: it replaces several only on purpose. A zip is a site itself. `entry`: the file that the address opens. */
export const replaces = (
  { fileCount, kind }: Pick<Project, "fileCount" | "kind">,
  sent: Kind | "zip" | undefined,
  entry?: string
): Result.Result<void, Invalid> => {
  if (kind === null || fileCount < 2 || sent === "zip") return Result.succeed(undefined)
  const holds = HOLDS[kind]
  if (holds !== undefined) {
    const path = entry === undefined ? "" : ` ${JSON.stringify(entry)},`
    return Result.fail(invalid({ field: "text", message: `This project holds ${holds}: ${fileCount} files. Send one of them as files: [{path:${path} …}], or publish to replace all of them.` }))
  }
  return Result.fail(invalid({
    field: "text",
    message: sent === "site"
      ? `This is a site of ${fileCount} files. Send the page as files: [{path: "${INDEX}", …}], or publish to replace the whole site.`
      : `This is a site of ${fileCount} files. Send one of them as files: [{path: …}], or publish to replace the whole site.`
  }))
}

export interface NamedFile {
  readonly path: string
  /** Its kind if it were published alone; undefined if it can only be part of a site. */
  readonly kind: Kind | "zip" | undefined
}

/** The one folder that holds all files of a site sent file by file, with its slash; "" where there is none. */
export const siteFolder = (paths: ReadonlyArray<string>): string => {
  const top = topFolder(paths)
  return paths.length > 1 && paths.includes(top + INDEX) ? top : ""
}

/** Such a site is at the top without that folder, as one in a zip is. */
export const rooted = <A extends { readonly path: string }>(files: ReadonlyArray<A>): Result.Result<ReadonlyArray<A>, Invalid> => {
  const top = siteFolder(files.map(({ path }) => path))
  return top === "" ? Result.succeed(files) : Result.all(files.map((file) => Result.map(filePath(file.path.slice(top.length)), (path) => ({ ...file, path }))))
}

const isUnlikeItsName = ({ kind, path }: NamedFile): boolean =>
  (namesMarkdown(path) && kind !== "markdown") || (namesImage(path) && kind !== "image") || (namesVideo(path) && kind !== "video")

/** The kind of files published together: a site, one Markdown with its images, one video with its still and captions, or a document alone. */
export const kindOfFiles = (
  files: ReadonlyArray<NamedFile>
): Result.Result<{ readonly kind: Kind; readonly entry: string }, Invalid> => {
  if (files.some((file) => file.path === INDEX)) return Result.succeed({ kind: "site", entry: INDEX })
  const written = files.filter((file) => file.kind === "markdown")
  if (written.length === 1 && files.every((file) => file.kind === "markdown" || file.kind === "image")) {
    return Result.succeed({ kind: "markdown", entry: written[0]!.path })
  }
  const filmed = files.filter((file) => file.kind === "video")
  if (filmed.length === 1 && files.every((file) => file.kind === "video" || file.kind === "image" || /\.vtt$/i.test(file.path))) {
    return Result.succeed({ kind: "video", entry: filmed[0]!.path })
  }
  const [only] = files
  if (files.length === 1 && only?.kind !== undefined && only.kind !== "zip" && only.kind !== "site") return Result.succeed({ kind: only.kind, entry: only.path })
  const paths = files.map(({ path }) => path)
  // Such as what Git LFS leaves in a picture's place.
  const unlikely = documentOf(paths) === undefined ? undefined : files.find(isUnlikeItsName)
  return Result.fail(unlikely === undefined ? noIndex(paths) : refusedPath(unlike(extensionOf(unlikely.path)).message, unlikely.path))
}

/** What a project is once files of it have changed: what it was, or, where none of those it held is left, what the new ones are. */
export const becomes = (
  { entry, kind }: { readonly kind: Kind | null; readonly entry: string | undefined },
  left: ReadonlyArray<string>,
  added: ReadonlyArray<NamedFile>
): Result.Result<{ readonly kind: Kind; readonly entry: string }, Invalid> => {
  if (kind === null || (left.length === 0 && added.length > 0)) return kindOfFiles(added)
  // What lies beside a document was found to go with it when it came.
  const next = kindOfFiles([...left.map((path) => ({ path, kind: path === entry ? kind : "image" } as const)), ...added])
  if (Result.isSuccess(next) && next.success.kind === kind) return next
  return Result.fail(invalid({
    field: "file",
    message: kind === "site" ? `A site needs its first page, ${INDEX}.` : `This project holds ${HOLDS[kind]}, and nothing else. Publish anything else as a new project.`
  }))
}
