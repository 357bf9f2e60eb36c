/** How the people of a walk look at what became of a step, and what they must see. */
import { eventually } from "../../test/support/program.ts"
import { PATHS } from "./walk.ts"
import type { Reader, Walk } from "./walk.ts"
import type { Page, Person } from "./world.ts"

export const looksOf = ({ ada, as, ask, complain, counts, dan, either, equal, foretold, homeOf, known, one, people, readers, slugs, team, touched, world }: Walk) => {
  /** A reader opens an address, and another of its files. */
  const lookAt = async (reader: Reader, slug: string) => {
    const page = world.pages.get(slug)
    const held = reader.jar.get(slug)
    const who = `${reader.person?.name ?? "somebody"}${held ? ` with the pass of a ${held.pass.via}` : ""}`
    /** `there`: how the path answers where the door is open. */
    const load = async (path: string, there: number) => {
      const { answer, wanted } = await foretold(() => {
        const door = world.door(page, held?.pass)
        return door === 200 ? there : door
      }, () => ask(path, { host: `${slug}.svc.localhost`, headers: { "x-forwarded-for": reader.address, ...(held && { cookie: held.cookie }) } }))
      equal(`${slug}${path} for ${who}`, answer.status, wanted)
      return answer.status === 200 && wanted === 200 ? answer.text : undefined
    }
    const text = await load("/", 200)
    if (text === undefined) return
    page!.views++
    page!.visitors.add(reader.address)
    const files = page!.versions.get(page!.version)!
    if (!page!.talk) equal(`the bytes of ${slug}`, text, files.get("index.html"))
    const path = page!.talk ? "notes.txt" : one(PATHS)
    const other = await load(page!.talk ? `/_svc/raw/${path}` : `/${path}`, files.has(path) ? 200 : 404)
    if (other !== undefined) equal(`the bytes of ${slug}/${path}`, other, files.get(path))
  }

  /** Somebody asks for one project; what it holds is told by the API alone. */
  const lookUp = async (person: Person, slug: string) => {
    const page = world.pages.get(slug)
    const { json, status } = await either(() => as(person, `/v1/projects/${slug}`), [person, "get_project_link", { slug }])
    const sees = page !== undefined && world.sees(person, page)
    equal(`${slug} for ${person.name}`, status, sees ? 200 : 404)
    if (!sees || status !== 200) return
    const files = page.versions.get(page.version)
    equal(`what ${person.name} learns of ${slug}`, {
      id: json.id, version: json.version, visibility: json.visibility, password: json.password, folder: json.folder_id, owner: json.owner.id,
      ends: json.expires_at, files: json.file_count, bytes: json.size_bytes, versions: json.versions?.map(({ version }: { version: number }) => version)
    }, {
      id: page.id, version: page.version, visibility: page.visibility, password: world.changes(person, page) ? page.doorcode : null, folder: page.folder?.id ?? null,
      owner: page.owner.id, ends: page.endsAt === null ? null : new Date(page.endsAt).toISOString(), files: files?.size ?? 0,
      bytes: [...files?.values() ?? []].reduce((sum, body) => sum + body.length, 0), versions: json.versions && [...page.versions.keys()].toSorted((a, b) => b - a)
    })
  }

  /** Somebody lists what they see. */
  const lookAround = async (person: Person) => {
    const home = homeOf(person)
    const { json, status } = await as(person, `/v1/projects?limit=100${home === "team" ? `&workspace=${team}` : ""}`)
    equal(`the list of ${person.name}`, status, world.belongs(person, home) ? 200 : 404)
    if (status !== 200) return
    const slugs = world.of(home).filter((page) => world.sees(person, page)).map(({ slug }) => slug)
    equal(`the projects that ${person.name} sees`, json.projects.map(({ slug }: { slug: string }) => slug).toSorted(), slugs.toSorted())
    equal("projects in all", json.usage.projects, world.of(home).length)
    const living = world.living(home)
    if (json.usage.storage_bytes < living || (world.of(home).length === 0 && json.usage.storage_bytes !== 0)) complain(`storage: ${json.usage.storage_bytes} where ${living} are alive`)
    const folders = await as(person, `/v1/folders${home === "team" ? `?workspace=${team}` : ""}`)
    const wanted = home === "team" ? world.folders.filter((folder) => world.seesFolder(person, folder)).map(({ id }) => id) : []
    equal(`the folders that ${person.name} sees`, (folders.json.folders ?? folders.json).map(({ id }: { id: string }) => id).toSorted(), wanted.toSorted())
  }

  const lookAtLinks = async (person: Person, page: Page) => {
    const { json } = await as(person, `/v1/projects/${page.slug}/share-links`)
    const links = world.links.filter((link) => link.page === page && !link.revoked)
    equal(`the links of ${page.slug}`, json.map(({ id, view_count }: { id: string; view_count: number }) => [id, view_count]).toSorted(), links.map(({ id, opens }) => [id, opens]).toSorted())
  }

  /** Right after a step: whoever came in somewhere tries again, at the page that it was about or at all of theirs. */
  const lookAfter = async () => {
    const page = touched()
    for (const reader of readers) {
      for (const [slug, { pass }] of reader.jar) if (page === undefined || pass.page === page || slug === page.slug) await lookAt(reader, slug)
    }
    for (const slug of [page?.slug ?? one(known()).slug, one(slugs)]) {
      await lookAt(one(readers), slug)
      await lookUp(one(people), slug)
    }
    if (counts.steps % 10 === 0) await lookAround(one(people))
  }

  const lookAtFigures = async (person: Person, page: Page) => {
    const totals = () => as(person, `/v1/projects/${page.slug}/analytics?days=2`).then(({ json }) => json.totals as { views: number; unique_visitors: number })
    await eventually("all views", async () => (await totals()).views >= page.views, 10).catch(() => {})
    const { unique_visitors, views } = await totals()
    equal(`the views of ${page.slug}`, [views, unique_visitors], [page.views, page.visitors.size])
  }

  /** Everything, by everybody; then what was counted. */
  const lookAtAll = async () => {
    for (const slug of new Set([...slugs, ...world.pages.keys()])) {
      for (const reader of readers) await lookAt(reader, slug)
      for (const person of people) await lookUp(person, slug)
    }
    for (const person of people) await lookAround(person)
    for (const page of known()) {
      const looksAfter = page.home === "stranger" ? dan : page.owner.role === null ? ada : page.owner
      await lookAtLinks(looksAfter, page)
      await lookAtFigures(looksAfter, page)
    }
  }

  return { lookAfter, lookAtAll }
}
