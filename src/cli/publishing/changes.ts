/** How a published site differs from a folder here: compared by hashes, so that only changes are sent. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { given } from "../../domain/given.ts"
import type { Client } from "../client.ts"
import { unreadable } from "./folder.ts"
import type { LocalFile } from "./folder.ts"

export interface Changes {
  /** The version that the changes apply to. */
  readonly base: number
  readonly send: ReadonlyArray<LocalFile>
  readonly remove: ReadonlyArray<string>
  readonly kept: number
}

const hashOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

/** All pages describe the version that the first page names. */
const served = Effect.fnUntraced(function*(client: Client, slug: string) {
  const hashes = new Map<string, { readonly sha256: string; readonly size: number }>()
  for (let cursor: string | undefined;;) {
    const page = yield* client.projects.files({ params: { slug }, query: { limit: 1000, ...given({ cursor }) } })
    for (const { path, sha256, sizeBytes } of page.files) hashes.set(path, { sha256, size: sizeBytes })
    if (page.nextCursor === null) return { version: page.version, hashes }
    cursor = page.nextCursor
  }
})

export const changesTo = Effect.fnUntraced(function*(client: Client, slug: string, files: ReadonlyArray<LocalFile>) {
  const { hashes, version } = yield* served(client, slug)
  const differs = Effect.fnUntraced(function*(file: LocalFile) {
    const there = hashes.get(file.path)
    // Files of different sizes differ: no need to read them.
    if (there === undefined || there.size !== file.size) return true
    return (yield* Effect.tryPromise({ try: () => hashOf(file.from), catch: (error) => unreadable(file, error) })) !== there.sha256
  })
  const differing = yield* Effect.filter(files, differs, { concurrency: 8 })
  // A new page may have the name that index.html came under when it was published alone: sent with it, it is a page beside it.
  const newPage = differing.some(({ path }) => /\.html?$/i.test(path) && !hashes.has(path))
  const send = newPage ? [...new Set([...differing, ...files.filter(({ path }) => path === "index.html")])] : differing
  const here = new Set(files.map(({ path }) => path))
  const remove = [...hashes.keys()].filter((path) => !here.has(path))
  return { base: version, send, remove, kept: files.length - send.length } satisfies Changes
})
