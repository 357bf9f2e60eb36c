/**
 * Teams that do as people do, in no order: publish, rename, close, share, move, leave and come back, at two instances in turn, many
 * teams at once. After every step somebody looks, and what they see must be what the rules say, at the very next request.
 */
import { cookiesOf, form } from "../test/support/ask.ts"
import type { Answer, Question } from "../test/support/ask.ts"
import { comesIn, elsewhere } from "../test/support/newcomers.ts"
import type { PostOffice } from "../test/support/post-office.ts"
import { eventually, newFolder } from "../test/support/program.ts"
import type { Program } from "../test/support/program.ts"
import { zipOf } from "../test/support/zips.ts"
import type { Cluster } from "./cluster.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import type { Row } from "./report.ts"
import { PLANS, World } from "./world.ts"
import type { CommentAccess, Files, Folder, Home, Level, Link, Page, Pass, Person, Plan, Visibility } from "./world.ts"

/** The same numbers for the same seed (mulberry32). */
const random = (seed: number) => () => {
  seed = (seed + 0x6D2B79F5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}

const BODIES = Array.from({ length: 9 }, (_, index) => `<!doctype html><title>Page ${index}</title>${"<p>A line.</p>".repeat(index * 7)}\n`)
const TEXTS = Array.from({ length: 5 }, (_, index) => `${"text ".repeat(1 + index * 11)}${index}\n`)
const PATHS = ["a.txt", "b.txt", "deep/c.txt"]

/** A reader's browser: at one address, with the passes that it was given, by host. */
interface Reader {
  readonly person: Person | undefined
  readonly address: string
  readonly jar: Map<string, { readonly cookie: string; readonly pass: Pass }>
}

interface Walked {
  readonly steps: number
  /** Requests of these steps that did what they asked for, and those that were refused. */
  readonly granted: number
  readonly refused: number
  readonly looks: number
  readonly wrong: ReadonlyArray<string>
}

interface Ground {
  readonly programs: ReadonlyArray<Program>
  readonly post: PostOffice
  readonly cluster: Cluster
}

const walk = async ({ cluster, post, programs }: Ground, seed: number, length: number): Promise<Walked> => {
  const next = random(seed)
  const below = (many: number): number => Math.floor(next() * many)
  const one = <A>(all: ReadonlyArray<A>): A => all[below(all.length)]!
  const some = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)]
  const happens = (share: number): boolean => next() < share

  const wrong: Array<string> = []
  const trace: Array<string> = []
  const counts = { steps: 0, granted: 0, refused: 0, looks: 0 }

  /** At either instance, so that whatever one of them changed is asked of the other. */
  const ask = (path: string, question?: Question): Promise<Answer> => one(programs).ask(path, question)
  const as = (person: Person, path: string, question: Question = {}) => ask(path, { ...question, headers: { ...question.headers, ...person.bearer } })

  const complain = (line: string) => void wrong.push(`seed ${seed}: ${line}; before: ${trace.slice(-6).join(", ")}`)
  const equal = (what: string, found: unknown, wanted: unknown) => {
    counts.looks++
    if (JSON.stringify(found) !== JSON.stringify(wanted)) complain(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`)
  }
  /** Whether it was answered so, and was to succeed. */
  const done = (what: string, { status, text }: Answer, wanted: number): boolean => {
    trace.push(`${what} → ${status}`)
    counts[status < 400 ? "granted" : "refused"]++
    if (status !== wanted) complain(`${what}: ${status} instead of ${wanted} ${text.slice(0, 160)}`)
    return status === wanted && status < 400
  }

  const join = async (name: string, role: Person["role"], owns = false): Promise<Person> => ({ ...(await comesIn(one(programs), post, `${name}-${seed}`)), name, role, owns })
  const ada = await join("ada", "admin", true)
  const [bea, cleo, dan] = [await join("bea", null), await join("cleo", null), await join("dan", null)]
  const team = ada.workspace

  const invite = (person: Person, role: "admin" | "member") => as(ada, `/v1/workspace/invites?workspace=${team}`, { json: { email: person.email, role } })
  const accept = async (person: Person, role: "admin" | "member", known: number) => {
    const letter = await eventually("the invitation", () => post.lettersTo(person.email).slice(known).find(({ mail }) => mail.text!.includes("/invite?token=")))
    const token = decodeURIComponent(/token=([\w%.-]+)/.exec(letter.mail.text!)![1]!)
    const accepted = await ask("/v1/auth/invites/accept", { json: { token, name: person.name }, headers: { ...elsewhere(), ...person.session } })
    if (done(`${person.name} accepts`, accepted, 200)) person.role = role
  }
  for (const [person, role] of [[bea, "admin"], [cleo, "member"]] as const) {
    const known = post.lettersTo(person.email).length
    if (done(`ada invites ${person.name}`, await invite(person, role), 201)) await accept(person, role, known)
  }
  const plan: Plan = happens(0.3) ? "starter" : "studio"
  if (plan === "starter") await cluster.statement("UPDATE workspaces SET plan = 'starter' WHERE id = $1", [team])

  const people = [ada, bea, cleo, dan]
  const world = new World(dan, plan)
  const slugs = Array.from({ length: plan === "starter" ? 9 : 14 }, (_, index) => `walk-${seed}-${index}`)
  const readers: ReadonlyArray<Reader> = [...people, undefined, undefined].map((person) => ({ person, address: elsewhere()["x-forwarded-for"], jar: new Map() }))
  const homeOf = (person: Person): Home => person === dan ? "stranger" : "team"
  const known = () => [...world.pages.values()]
  /** The page that a step is about, and at which everybody looks afterwards; undefined for one that may concern all. */
  let touched: Page | undefined
  const about = <P extends Page | undefined>(page: P): P => (touched = page, page)
  const somePage = (): Page | undefined => about(some(known()))
  /** One that may be published anew, renamed and deleted. */
  const someSite = (): Page | undefined => about(some(known().filter(({ talk }) => !talk)))
  const someTalk = (): Page => about(one(known().filter(({ talk }) => talk)))
  /** Mostly somebody who may. */
  const somebody = (page: Page | undefined): Person => one(page !== undefined && happens(0.6) ? people.filter((person) => world.changes(person, page)) : people) ?? ada
  const someSlug = () => happens(0.8) ? someSite()?.slug ?? one(slugs) : one(slugs)
  const newPage = (id: string, person: Person, slug: string, talk = false): Page => {
    const page: Page = {
      id, home: homeOf(person), owner: person, slug, talk, visibility: "public", doorcode: null, epoch: 0, folder: undefined, endsAt: null, version: 0, versions: new Map(),
      comments: talk, commentAccess: "allowlist", emails: [], inherits: true, views: 0, visitors: new Set()
    }
    world.take(page, slug)
    return page
  }
  for (const person of [ada, cleo]) {
    const slug = `talk-${seed}-${person.name}`
    const put = await as(person, `/v1/projects/${slug}?workspace=${team}&comments_enabled=true`, { method: "PUT", body: TEXTS[1]!, headers: { "content-type": "text/plain", "x-filename": "notes.txt" } })
    if (!done(`${person.name} publishes ${slug}`, put, 201)) return { ...counts, wrong }
    world.publish(newPage((await as(person, `/v1/projects/${slug}`)).json.id, person, slug, true), new Map([["notes.txt", TEXTS[1]!]]))
  }

  const someFiles = async (): Promise<{ readonly files: Files; readonly body: string | Buffer; readonly type: string }> => {
    const index = one(BODIES)
    if (happens(0.5)) return { files: new Map([["index.html", index]]), body: index, type: "text/html" }
    const files = new Map([["index.html", index], ...PATHS.filter(() => happens(0.6)).map((path): [string, string] => [path, one(TEXTS)])])
    return { files, body: await zipOf(Object.fromEntries(files)), type: "application/zip" }
  }

  const steps: Readonly<Record<string, readonly [weight: number, step: () => Promise<void>]>> = {
    publish: [9, async () => {
      const [slug, update] = [someSlug(), happens(0.3)]
      const person = somebody(world.pages.get(slug))
      const { body, files, type } = await someFiles()
      const visibility = happens(0.3) ? one<Visibility>(["public", "password", "private"]) : undefined
      const wanted = world.putting(person, slug, update)
      const query = new URLSearchParams({ ...(person !== dan && !world.pages.has(slug) && { workspace: team }), ...(visibility && { visibility }) })
      const answer = await as(person, `/v1/projects/${slug}?${query}`, { method: "PUT", body, headers: { "content-type": type, ...(update && { "if-match": "*" }) } })
      if (!done(`${person.name} publishes ${slug}${update ? " again" : ""}${visibility ? ` ${visibility}` : ""}`, answer, wanted)) return
      let page = world.pages.get(slug)
      if (page === undefined) {
        const { json } = await as(person, `/v1/projects/${slug}`)
        page = newPage(json.id, person, slug)
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
      if (!done(`${person.name} restores ${page.slug} ${version}`, await as(person, `/v1/projects/${page.slug}/versions/${version}/restore`, { method: "POST" }), may === 200 && files === undefined ? 404 : may)) return
      world.publish(page, files!)
    }],

    close: [7, async () => {
      const page = somePage()
      const person = somebody(page)
      if (page === undefined) return
      const visibility = happens(0.8) ? one<Visibility>(["public", "password", "private"]) : undefined
      const password = visibility === undefined || happens(0.2) ? happens(0.2) ? null : `secret code ${below(1000)}` : undefined
      const answer = await as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: { ...(visibility && { visibility }), ...(password !== undefined && { password }) } })
      if (!done(`${person.name} makes ${page.slug} ${visibility ?? "?"}${password === undefined ? "" : " with a doorcode"}`, answer, world.changing(person, page, 200))) return
      const then = visibility ?? (typeof password === "string" && page.visibility === "public" ? "password" : page.visibility)
      const kept = password === undefined ? page.doorcode : password
      world.close(page, then, then === "password" && kept === null ? answer.json.password as string : kept)
      equal(`${page.slug} as it was closed`, [answer.json.visibility, answer.json.password], [page.visibility, page.doorcode])
    }],

    end: [2, async () => {
      const page = somePage()
      const person = somebody(page)
      if (page === undefined) return
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
      if (done(`${person.name} deletes ${slug}`, await as(person, `/v1/projects/${slug}`, { method: "DELETE" }), world.changing(person, page, 200))) world.remove(page!)
    }],

    folder: [2, async () => {
      const person = one([ada, bea, cleo])
      if (world.folders.length >= 5) return
      const sharing = one<Folder["sharing"]>(["team", "private"])
      const answer = await as(person, `/v1/folders?workspace=${team}`, { json: { name: `Folder ${counts.steps}`, sharing } })
      if (done(`${person.name} makes a ${sharing} folder`, answer, person.role === null ? 404 : 201)) world.folders = [...world.folders, { id: answer.json.id, creator: person, sharing, emails: [], inherits: true }]
    }],

    hide: [3, async () => {
      const [person, folder] = [one(people), some(world.folders)]
      if (folder === undefined) return
      const sharing = one<Folder["sharing"]>(["team", "private"])
      const may = world.changingFolder(person, folder, 200)
      const others = world.inside(folder).some(({ owner }) => owner !== folder.creator)
      const wanted = may !== 200 || sharing === folder.sharing ? may : person !== folder.creator ? 403 : sharing === "private" && others ? 409 : 200
      if (done(`${person.name} makes ${folder.creator.name}'s folder ${sharing}`, await as(person, `/v1/folders/${folder.id}`, { method: "PATCH", json: { sharing } }), wanted)) folder.sharing = sharing
    }],

    file: [5, async () => {
      const page = somePage()
      const person = somebody(page)
      if (page === undefined) return
      const folder = happens(0.2) ? undefined : some(world.folders)
      const may = world.changing(person, page, 200)
      const takes = folder === undefined ? 200
        : page.home === "stranger" || !world.seesFolder(person, folder) ? 404
        : folder.sharing === "team" || folder.creator === page.owner ? 200 : 403
      const answer = await as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: { folder_id: folder?.id ?? null } })
      if (done(`${person.name} puts ${page.slug} into ${folder === undefined ? "no folder" : `${folder.creator.name}'s ${folder.sharing} one`}`, answer, may === 200 ? takes : may)) page.folder = folder
    }],

    empty: [1, async () => {
      const [person, folder, moves] = [one(people), some(world.folders), happens(0.5)]
      if (folder === undefined) return
      const may = world.changingFolder(person, folder, 200)
      const wanted = may === 200 && world.inside(folder).length > 0 && !moves ? 409 : may
      if (done(`${person.name} deletes ${folder.creator.name}'s folder`, await as(person, `/v1/folders/${folder.id}${moves ? "?move_projects=true" : ""}`, { method: "DELETE" }), wanted)) world.removeFolder(folder)
    }],

    share: [3, async () => {
      const page = somePage()
      const person = somebody(page)
      if (page === undefined) return
      const answer = await as(person, `/v1/projects/${page.slug}/share-links`, { json: { label: `For ${counts.steps}` } })
      if (done(`${person.name} shares ${page.slug}`, answer, world.changing(person, page, 201))) world.links.push({ id: answer.json.id, token: answer.json.token, page, opens: 0, revoked: false })
    }],

    revoke: [1, async () => {
      const [person, link] = [one(people), some(world.links)]
      if (link === undefined) return
      about(link.page)
      const wanted = link.revoked ? 404 : world.changing(person, link.page, 200)
      if (done(`${person.name} revokes a link to ${link.page.slug}`, await as(person, `/v1/share-links/${link.id}`, { method: "DELETE" }), wanted)) link.revoked = true
    }],

    open: [5, async () => {
      const [reader, link] = [one(readers), some(world.links)]
      if (link === undefined) return
      about(link.page)
      await openLink(reader, link, happens(0.9) ? link.page.slug : one(slugs))
    }],

    knock: [5, async () => {
      const reader = one(readers)
      const page = about(some(known().filter(({ visibility }) => visibility === "password"))) ?? somePage()
      if (page === undefined) return
      await knock(reader, page, happens(0.7) && page.doorcode !== null ? page.doorcode : "not the doorcode")
    }],

    enter: [5, async () => {
      const reader = one(readers.slice(0, people.length))
      await enter(reader, reader.person!, happens(0.2) ? someSlug() : somePage()!.slug)
    }],

    allow: [4, async () => {
      const person = one(people)
      const inherits = happens(0.5) ? happens(0.6) : undefined
      const emails = happens(0.7) ? [...people.map(({ email }) => email), "guest@example.com"].filter(() => happens(0.4)) : undefined
      const shared = { ...(inherits !== undefined && { comment_allowlist_inherit: inherits }), ...(emails !== undefined && { emails }) }
      const set = (level: Level, above: ReadonlyArray<Level>, { json }: Answer) => {
        level.inherits = inherits ?? level.inherits
        level.emails = emails ?? level.emails
        equal("the list", [json.emails.toSorted(), json.inherited_emails.toSorted()], [level.emails.toSorted(), [...new Set(level.inherits ? world.listed(above) : [])].toSorted()])
      }
      const folder = happens(0.3) ? some(world.folders) : undefined
      if (folder !== undefined) {
        const answer = await as(person, `/v1/folders/${folder.id}/comment-allowlist`, { method: "PUT", json: shared })
        if (done(`${person.name} lists who comments in ${folder.creator.name}'s folder`, answer, world.changingFolder(person, folder, 200))) set(folder, [world.top], answer)
        return
      }
      if (happens(0.3)) {
        const { comment_allowlist_inherit: _, ...json } = shared
        const answer = await as(person, `/v1/workspace/comment-allowlist?workspace=${team}`, { method: "PUT", json })
        if (!done(`${person.name} lists who comments in the team`, answer, person.role === null ? 404 : person.role === "admin" ? 200 : 403)) return
        world.top.emails = emails ?? world.top.emails
        return
      }
      const page = someTalk()
      const access = happens(0.6) ? one<CommentAccess>(["members", "allowlist", "allowlist", "anyone"]) : undefined
      const answer = await as(person, `/v1/projects/${page.slug}/comment-allowlist`, { method: "PUT", json: { ...shared, ...(access && { comment_access: access }) } })
      if (!done(`${person.name} lists who comments on ${page.slug}${access ? `, ${access}` : ""}`, answer, world.changing(person, page, 200))) return
      page.commentAccess = access ?? page.commentAccess
      set(page, world.levels(page).slice(1), answer)
    }],

    silence: [1, async () => {
      const [page, enabled] = [someTalk(), happens(0.7)]
      const person = somebody(page)
      const answer = await as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json: { comments_enabled: enabled } })
      if (done(`${person.name} switches comments ${enabled ? "on" : "off"} at ${page.slug}`, answer, world.changing(person, page, 200))) page.comments = enabled
    }],

    speak: [5, async () => {
      const [reader, page] = [one(readers.slice(0, people.length)), someTalk()]
      const person = reader.person!
      const host = `${page.slug}.svc.localhost`
      const known = await ask("/v1/me", { headers: { cookie: person.session.cookie, origin: `http://${host}` } })
      if (!done(`${person.name} is known at ${page.slug}`, known, 200)) return
      const held = reader.jar.get(page.slug)
      const wanted = world.speaking(person, page, held?.pass)
      if (wanted === undefined) return
      const headers = { authorization: `Bearer ${known.json.comment_token}`, ...(held && { cookie: held.cookie }) }
      done(`${person.name} comments on ${page.slug}${held ? ` with the pass of a ${held.pass.via}` : ""}`, await ask("/_svc/comments", { host, headers, json: { body: `At step ${counts.steps}` } }), wanted)
    }],

    promote: [1, async () => {
      const [person, member, role] = [one([ada, bea, cleo]), one([bea, cleo]), one<"admin" | "member">(["admin", "member"])]
      const wanted = person.role === null ? 404 : person.role !== "admin" ? 403 : member.role === null ? 404 : 200
      const answer = await as(person, `/v1/workspace/members/${member.id}?workspace=${team}`, { method: "PATCH", json: { role } })
      if (done(`${person.name} makes ${member.name} ${role}`, answer, wanted)) member.role = role
    }],

    part: [1, async () => {
      const [person, member] = [one([ada, bea, cleo]), one([ada, bea, cleo])]
      if (person === ada && member === ada) return
      const wanted = person.role === null ? 404
        : person !== member && person.role !== "admin" ? 403
        : member.role === null ? 404
        : member === ada ? 403
        : 200
      const answer = await as(person, `/v1/workspace/members/${member.id}?workspace=${team}`, { method: "DELETE" })
      if (done(`${person.name} parts ${member.name}`, answer, wanted)) world.part(member)
    }],

    comeBack: [3, async () => {
      const member = [bea, cleo].find(({ role }) => role === null)
      if (member === undefined) return
      const [role, known] = [one<"admin" | "member">(["admin", "member"]), post.lettersTo(member.email).length]
      const seats = people.filter(({ role }) => role !== null).length
      if (done(`ada invites ${member.name}`, await invite(member, role), seats < PLANS[plan].seats ? 201 : 402)) await accept(member, role, known)
    }]
  }

  const openLink = async (reader: Reader, link: Link, slug: string) => {
    const page = world.pages.get(slug)
    const held = reader.jar.get(slug)
    const door = world.door(page, undefined)
    if (door === undefined) return
    const wanted = page === undefined ? 404 : door === 410 ? 410 : page === link.page && !link.revoked ? 303 : 404
    const answer = await ask(`/_svc/gate/share?t=${link.token}`, { host: `${slug}.svc.localhost`, headers: { "x-forwarded-for": reader.address, ...(held && { cookie: held.cookie }) } })
    if (!done(`${reader.person?.name ?? "somebody"} opens a link to ${link.page.slug} at ${slug}`, answer, wanted)) return
    const isMember = held?.pass.via === "member" && world.holds(held.pass, page!)
    if (!isMember) link.opens++
    const cookie = cookiesOf(answer)
    const keeps = isMember || (held?.pass.via === "link" && held.pass.link === link)
    equal(`a pass for ${slug}`, cookie !== "", !keeps)
    if (cookie !== "") reader.jar.set(slug, { cookie, pass: { via: "link", page: page!, link } })
  }

  const knock = async (reader: Reader, page: Page, code: string) => {
    const door = world.door(page, undefined)
    if (door === undefined) return
    const answer = await ask("/_svc/gate/password", {
      method: "POST", host: `${page.slug}.svc.localhost`, body: new URLSearchParams({ password: code }).toString(),
      headers: { ...elsewhere(), "content-type": "application/x-www-form-urlencoded" }
    })
    // Where none is asked for, there is nothing to try.
    const wanted = door === 401 ? code === page.doorcode ? 303 : 401 : door === 200 ? 303 : door
    if (!done(`${reader.person?.name ?? "somebody"} knocks at ${page.slug}`, answer, wanted) || door !== 401) return
    reader.jar.set(page.slug, { cookie: cookiesOf(answer), pass: { via: "doorcode", page, epoch: page.epoch } })
  }

  const enter = async (reader: Reader, person: Person, slug: string) => {
    const page = world.pages.get(slug)
    const asked = await ask(`/v1/gate/member?slug=${slug}&next=/`, { headers: { cookie: person.session.cookie } })
    if (!done(`${person.name} enters ${slug}`, asked, page === undefined ? 404 : world.sees(person, page) ? 303 : 403)) return
    const door = world.door(page, undefined)
    if (door === undefined) return
    const { pathname, search } = new URL(asked.headers.location!)
    const answer = await ask(pathname + search, { host: `${slug}.svc.localhost` })
    if (!done(`${person.name} is let into ${slug}`, answer, door === 410 ? 410 : 303)) return
    reader.jar.set(slug, { cookie: cookiesOf(answer), pass: { via: "member", page: page!, person } })
  }

  /** A reader opens an address, and another of its files. */
  const lookAt = async (reader: Reader, slug: string) => {
    const page = world.pages.get(slug)
    const held = reader.jar.get(slug)
    const wanted = world.door(page, held?.pass)
    if (wanted === undefined) return
    const load = (path: string) => ask(path, { host: `${slug}.svc.localhost`, headers: { "x-forwarded-for": reader.address, ...(held && { cookie: held.cookie }) } })
    const answer = await load("/")
    const who = `${reader.person?.name ?? "somebody"}${held ? ` with the pass of a ${held.pass.via}` : ""}`
    equal(`${slug} for ${who}`, answer.status, wanted)
    if (answer.status !== 200 || wanted !== 200) return
    page!.views++
    page!.visitors.add(reader.address)
    const files = page!.versions.get(page!.version)!
    if (page!.talk) return equal(`the bytes of ${slug}`, (await load("/_svc/raw/notes.txt")).text, files.get("notes.txt"))
    equal(`the bytes of ${slug}`, answer.text, files.get("index.html"))
    const path = one(PATHS)
    const other = await load(`/${path}`)
    equal(`${path} of ${slug}`, [other.status, other.status === 200 ? other.text : undefined], files.has(path) ? [200, files.get(path)] : [404, undefined])
  }

  /** Somebody asks the API for one project. */
  const lookUp = async (person: Person, slug: string) => {
    const page = world.pages.get(slug)
    const { json, status } = await as(person, `/v1/projects/${slug}`)
    const sees = page !== undefined && world.sees(person, page)
    equal(`${slug} for ${person.name}`, status, sees ? 200 : 404)
    if (!sees || status !== 200) return
    const files = page.versions.get(page.version)
    equal(`what ${person.name} learns of ${slug}`, {
      id: json.id, version: json.version, visibility: json.visibility, password: json.password, folder: json.folder_id, owner: json.owner.id,
      ends: json.expires_at, files: json.file_count, bytes: json.size_bytes, versions: json.versions.map(({ version }: { version: number }) => version)
    }, {
      id: page.id, version: page.version, visibility: page.visibility, password: world.changes(person, page) ? page.doorcode : null, folder: page.folder?.id ?? null,
      owner: page.owner.id, ends: page.endsAt === null ? null : new Date(page.endsAt).toISOString(), files: files?.size ?? 0,
      bytes: [...files?.values() ?? []].reduce((sum, body) => sum + body.length, 0), versions: [...page.versions.keys()].toSorted((a, b) => b - a)
    })
  }

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

  const lookAtLinks = async (page: Page) => {
    const { json } = await as(page.home === "team" ? page.owner.role === null ? ada : page.owner : page.owner, `/v1/projects/${page.slug}/share-links`)
    const links = world.links.filter((link) => link.page === page && !link.revoked)
    equal(`the links of ${page.slug}`, json.map(({ id, view_count }: { id: string; view_count: number }) => [id, view_count]).toSorted(), links.map(({ id, opens }) => [id, opens]).toSorted())
  }

  const all = Object.values(steps)
  const weight = all.reduce((sum, [weight]) => sum + weight, 0)
  const someStep = () => {
    let left = next() * weight
    return all.find(([weight]) => (left -= weight) < 0)![1]
  }

  while (counts.steps < length && wrong.length < 5) {
    counts.steps++
    about(undefined)
    await someStep()()
    // Whoever came in somewhere tries again: that page, or all of theirs.
    for (const reader of readers) {
      for (const [slug, { pass }] of reader.jar) if (touched === undefined || pass.page === touched || slug === touched.slug) await lookAt(reader, slug)
    }
    for (const slug of [touched?.slug ?? one(known()).slug, one(slugs)]) {
      await lookAt(one(readers), slug)
      await lookUp(one(people), slug)
    }
    if (counts.steps % 10 === 0) await lookAround(one(people))
  }

  // Everything, by everybody; then what was counted.
  for (const slug of new Set([...slugs, ...world.pages.keys()])) {
    for (const reader of readers) await lookAt(reader, slug)
    for (const person of people) await lookUp(person, slug)
  }
  for (const person of people) await lookAround(person)
  for (const page of known()) {
    const looksAfter = page.home === "stranger" ? dan : page.owner.role === null ? ada : page.owner
    if (!world.sees(looksAfter, page)) continue
    await lookAtLinks(page)
    const totals = () => as(looksAfter, `/v1/projects/${page.slug}/analytics?days=2`).then(({ json }) => json.totals as { views: number; unique_visitors: number })
    await eventually("all views", async () => (await totals()).views >= page.views, 10).catch(() => {})
    const { unique_visitors, views } = await totals()
    equal(`the views of ${page.slug}`, [views, unique_visitors], [page.views, page.visitors.size])
  }
  return { ...counts, wrong }
}

export const walks: Fault = async ({ note, quick, tell }) => {
  const [many, atOnce, length] = quick ? [4, 4, 150] : [40, 8, 500]
  const { cluster, post, start } = await openGround({ SVC_DATA_DIR: newFolder() })
  const programs = [await start(), await start()]
  const first = Number(process.env["WALK_SEED"] ?? 1)
  note(`seeds from ${first}`)
  const sums = { steps: 0, granted: 0, refused: 0, looks: 0 }
  const wrong: Array<string> = []
  for (let begun = 0; begun < many; begun += atOnce) {
    tell(`${begun} of ${many} teams are through`)
    const walked = await Promise.all(Array.from({ length: Math.min(atOnce, many - begun) }, (_, index) => walk({ cluster, post, programs }, first + begun + index, length)))
    for (const one of walked) {
      for (const name of ["steps", "granted", "refused", "looks"] as const) sums[name] += one[name]
      wrong.push(...one.wrong)
    }
  }
  return [{
    course: "walks", fault: `${many} teams, ${atOnce} at a time, ${sums.steps} steps in no order at two instances`,
    meanwhile: `${sums.granted} requests did what they asked for and ${sums.refused} were refused, each as it had to be; ${sums.looks} looks at what that led to`, wrong, back: []
  } satisfies Row]
}
