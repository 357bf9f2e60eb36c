/** What a walk does with pages: it publishes, changes, closes, renames and deletes them. */
import { form } from "../../test/support/ask.ts"
import { zipOf } from "../../test/support/zips.ts"
import { PATHS, TEXTS } from "./walk.ts"
import type { Steps, Walk } from "./walk.ts"
import type { Files, Visibility } from "./world.ts"

const BODIES = Array.from({ length: 9 }, (_, index) => `<!doctype html><title>Page ${index}</title>${"<p>A line.</p>".repeat(index * 7)}\n`)

/** A page alone, or a site of some files. */
const someFiles = async ({ happens, one }: Walk): Promise<{ readonly files: Files; readonly body: string | Buffer; readonly type: string }> => {
  const index = one(BODIES)
  if (happens(0.5)) return { files: new Map([["index.html", index]]), body: index, type: "text/html" }
  const files = new Map([["index.html", index], ...PATHS.filter(() => happens(0.6)).map((path): [string, string] => [path, one(TEXTS)])])
  return { files, body: await zipOf(Object.fromEntries(files)), type: "application/zip" }
}

export const pageSteps = (walk: Walk): Steps => {
  const { as, below, dan, done, either, equal, happens, one, slugs, somePage, someSite, someSlug, somebody, takesPlace, team, world } = walk
  return {
    publish: [9, async () => {
      const [slug, update] = [someSlug(), happens(0.3)]
      const person = somebody(world.pages.get(slug))
      const { body, files, type } = await someFiles(walk)
      const visibility = happens(0.3) ? one<Visibility>(["public", "password", "private"]) : undefined
      const wanted = world.putting(person, slug, update)
      const query = new URLSearchParams({ ...(person !== dan && !world.pages.has(slug) && { workspace: team }), ...(visibility && { visibility }) })
      const answer = await either(
        () => as(person, `/v1/projects/${slug}?${query}`, { method: "PUT", body, headers: { "content-type": type, ...(update && { "if-match": "*" }) } }),
        update || typeof body !== "string" ? undefined : [person, "publish", { slug, text: body, content_type: type, ...Object.fromEntries(query) }],
        ({ created }) => created
      )
      if (!done(`${person.name} publishes ${slug}${update ? " again" : ""}${visibility ? ` ${visibility}` : ""}`, answer, wanted)) return
      let page = world.pages.get(slug)
      if (page === undefined) {
        const { json } = await as(person, `/v1/projects/${slug}`)
        page = takesPlace(json.id, person, slug)
      }
      world.publish(page, files)
      const doorcode = (visibility ?? page.visibility) === "password" && page.doorcode === null ? answer.json.password as string : page.doorcode
      world.close(page, visibility ?? page.visibility, doorcode)
      equal(`${slug} as it was published`, [answer.json.version, answer.json.visibility, answer.json.password], [page.version, page.visibility, page.doorcode])
    }],

    files: [4, async () => {
      const page = someSite()
      const person = somebody(page)
      if (page === undefined || page.version === 0) return
      const current = page.versions.get(page.version)!
      const [path, text] = [one(PATHS), one(TEXTS)]
      const gone = happens(0.3) ? [...current.keys()].find((name) => name !== "index.html" && name !== path) : undefined
      const answer = await as(person, `/v1/projects/${page.slug}/files`, form(
        { name: "file", file: path, type: "text/plain", content: text },
        ...(gone === undefined ? [] : [{ name: "delete", value: gone }])
      ))
      if (!done(`${person.name} changes a file of ${page.slug}`, answer, world.changing(person, page, 200))) return
      const files = new Map([...current, [path, text]])
      if (gone !== undefined) files.delete(gone)
      world.publish(page, files)
      equal(`${page.slug} with its files`, [answer.json.version, answer.json.file_count], [page.version, files.size])
    }],

    restore: [2, async () => {
      const page = someSite()
      const person = somebody(page)
      if (page === undefined) return
      const version = 1 + below(page.version + 1)
      const files = page.versions.get(version)
      const may = world.changing(person, page, 200)
      const restored = await either(
        () => as(person, `/v1/projects/${page.slug}/versions/${version}/restore`, { method: "POST" }), [person, "restore_version", { slug: page.slug, version }]
      )
      if (!done(`${person.name} restores ${page.slug} ${version}`, restored, may === 200 && files === undefined ? 404 : may)) return
      if (files !== undefined) world.publish(page, files)
    }],

    close: [7, async () => {
      const page = somePage()
      const person = somebody(page)
      const visibility = happens(0.8) ? one<Visibility>(["public", "password", "private"]) : undefined
      const password = visibility === undefined || happens(0.2) ? happens(0.2) ? null : `secret code ${below(1000)}` : undefined
      const changes = { ...(visibility && { visibility }), ...(password !== undefined && { password }) }
      const answer = await either(
        () => as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: changes }),
        visibility === undefined || password === null ? undefined : [person, "set_visibility", { slug: page.slug, ...changes }]
      )
      if (!done(`${person.name} makes ${page.slug} ${visibility ?? "?"}${password === undefined ? "" : " with a doorcode"}`, answer, world.changing(person, page, 200))) return
      const then = visibility ?? (typeof password === "string" && page.visibility === "public" ? "password" : page.visibility)
      const kept = password === undefined ? page.doorcode : password
      world.close(page, then, then === "password" && kept === null ? answer.json.password as string : kept)
      equal(`${page.slug} as it was closed`, [answer.json.visibility, answer.json.password], [page.visibility, page.doorcode])
    }],

    end: [2, async () => {
      const page = somePage()
      const person = somebody(page)
      const endsAt = page.endsAt !== null && happens(0.7) ? null : Date.now() + 200 + below(400)
      const answer = await as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: { expires_at: endsAt === null ? null : new Date(endsAt).toISOString() } })
      if (done(`${person.name} ends ${page.slug} ${endsAt === null ? "never" : "soon"}`, answer, world.changing(person, page, 200))) page.endsAt = endsAt
    }],

    rename: [3, async () => {
      const [page, slug] = [someSite(), one(slugs)]
      const person = somebody(page)
      if (page === undefined) return
      const may = world.changing(person, page, 200)
      const answer = await as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: { slug } })
      const wanted = may === 200 && slug !== page.slug && !world.isFree(slug, page.home) ? 409 : may
      if (done(`${person.name} renames ${page.slug} to ${slug}`, answer, wanted) && slug !== page.slug) world.move(page, slug)
    }],

    remove: [2, async () => {
      const slug = someSlug()
      const page = world.pages.get(slug)
      const person = somebody(page)
      if (done(`${person.name} deletes ${slug}`, await either(() => as(person, `/v1/projects/${slug}`, { method: "DELETE" }), [person, "delete_project", { slug }]), world.changing(person, page, 200)) && page !== undefined) world.remove(page)
    }]
  }
}
