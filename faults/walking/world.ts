/**
 * What must be true of a team's pages, written down a second time: by the words of README and of the API's documents, and without a line of
 * the service's own. A walk changes both and holds them against each other.
 */
import type { Newcomer } from "../../test/support/newcomers.ts"

export type Visibility = "public" | "password" | "private"

export type Home = "team" | "stranger"

export type Files = ReadonlyMap<string, string>

export interface Person extends Newcomer {
  readonly name: string
  /** In the team; null for those who do not belong to it. */
  role: "admin" | "member" | null
}

/** Who may comment though they are no members, and whether those of the level above may too. */
export interface Level {
  emails: ReadonlyArray<string>
  inherits: boolean
}

export interface Folder extends Level {
  readonly id: string
  readonly creator: Person
  sharing: "team" | "private"
}

export type CommentAccess = "members" | "allowlist" | "anyone"

export interface Page extends Level {
  readonly id: string
  readonly home: Home
  readonly owner: Person
  slug: string
  visibility: Visibility
  doorcode: string | null
  /** How often those who know the doorcode were shut out. */
  epoch: number
  folder: Folder | undefined
  endsAt: number | null
  version: number
  readonly versions: Map<number, Files>
  /** Whether it is a text, which has a page of ours around it where people comment; all others are sites. */
  readonly talk: boolean
  comments: boolean
  commentAccess: CommentAccess
  /** Loads of its pages. */
  views: number
  readonly visitors: Set<string>
}

export interface Link {
  readonly id: string
  readonly token: string
  readonly page: Page
  opens: number
  revoked: boolean
}

export type Pass = { readonly page: Page } & (
  | { readonly via: "doorcode"; readonly epoch: number }
  | { readonly via: "link"; readonly link: Link }
  | { readonly via: "member"; readonly person: Person }
)

export const PLANS = { starter: { projects: 5, kept: 3, seats: 1 }, studio: { projects: 100, kept: 20, seats: 5 } } as const
export type Plan = keyof typeof PLANS

export class World {
  readonly pages = new Map<string, Page>()
  /** Slugs that a project gave up, and whose they stay. */
  readonly freed = new Map<string, Home>()
  readonly links: Array<Link> = []
  folders: ReadonlyArray<Folder> = []
  readonly top: Level = { emails: [], inherits: false }
  readonly stranger: Person
  readonly plan: Plan

  constructor(stranger: Person, plan: Plan) {
    this.stranger = stranger
    this.plan = plan
  }

  belongs(person: Person, home: Home): boolean {
    return home === "stranger" ? person === this.stranger : person.role !== null
  }

  seesFolder(person: Person, folder: Folder): boolean {
    return person.role !== null && (folder.sharing === "team" || folder.creator === person)
  }

  sees(person: Person, page: Page): boolean {
    return this.belongs(person, page.home) && (page.folder === undefined || this.seesFolder(person, page.folder))
  }

  changes(person: Person, page: Page): boolean {
    return this.sees(person, page) && (page.owner === person || (page.home === "team" && person.role === "admin"))
  }

  /** How a change of what is there is answered, if nothing else is wrong with it. */
  changing(person: Person, page: Page | undefined, done: number): number {
    if (page === undefined || !this.sees(person, page)) return 404
    return this.changes(person, page) ? done : 403
  }

  changingFolder(person: Person, folder: Folder, done: number): number {
    if (!this.seesFolder(person, folder)) return 404
    return person.role === "admin" || folder.creator === person ? done : 403
  }

  of(home: Home): ReadonlyArray<Page> {
    return [...this.pages.values()].filter((page) => page.home === home)
  }

  inside(folder: Folder): ReadonlyArray<Page> {
    return [...this.pages.values()].filter((page) => page.folder === folder)
  }

  holds(pass: Pass | undefined, page: Page): boolean {
    if (pass?.page !== page) return false
    switch (pass.via) {
      case "doorcode":
        return page.visibility === "password" && pass.epoch === page.epoch
      case "link":
        return !pass.link.revoked
      case "member":
        return this.sees(pass.person, page)
    }
  }

  /** How the address answers at this moment. */
  door(page: Page | undefined, pass: Pass | undefined): number {
    if (page === undefined) return 404
    if (page.endsAt !== null && page.endsAt <= Date.now()) return 410
    if (page.visibility !== "public" && !this.holds(pass, page)) return page.visibility === "password" ? 401 : 403
    return page.version === 0 ? 404 : 200
  }

  /** The addresses that a level lets in, its own and those of the levels above. */
  listed([level, ...above]: ReadonlyArray<Level>): ReadonlyArray<string> {
    return level === undefined ? [] : [...level.emails, ...(level.inherits ? this.listed(above) : [])]
  }

  levels(page: Page): ReadonlyArray<Level> {
    return [page, ...(page.folder === undefined ? [] : [page.folder]), this.top]
  }

  /** How a comment is answered, sent by this person with this pass. */
  speaking(person: Person, page: Page, pass: Pass | undefined): number {
    const door = this.door(page, pass)
    const isMember = this.sees(person, page)
    if (door === 410 || (door !== 200 && !isMember)) return door
    if (!page.comments) return 404
    const isListed = page.commentAccess === "allowlist" && this.listed(this.levels(page)).includes(person.email)
    return isMember || page.commentAccess === "anyone" || isListed ? 201 : 403
  }

  /** How a publish by PUT is answered. `update`: only to a project that exists. */
  putting(person: Person, slug: string, update: boolean): number {
    const page = this.pages.get(slug)
    const home = person === this.stranger ? "stranger" : "team"
    if (update && (page === undefined || !this.changes(person, page))) return this.changing(person, page, 200)
    if (page !== undefined) return this.changes(person, page) && (update || page.owner === person) ? 200 : 409
    if (!this.belongs(person, home)) return 404
    if ((this.freed.get(slug) ?? home) !== home) return 409
    return home === "team" && this.of(home).length >= PLANS[this.plan].projects ? 402 : 201
  }

  /** Whether nobody else has a claim on the address. */
  isFree(slug: string, home: Home): boolean {
    return !this.pages.has(slug) && (this.freed.get(slug) ?? home) === home
  }

  publish(page: Page, files: Files): void {
    page.versions.set(++page.version, files)
    if (page.versions.size > PLANS[page.home === "team" ? this.plan : "studio"].kept) page.versions.delete(Math.min(...page.versions.keys()))
  }

  close(page: Page, visibility: Visibility, doorcode: string | null): void {
    if (visibility !== page.visibility || doorcode !== page.doorcode) page.epoch++
    Object.assign(page, { visibility, doorcode })
  }

  move(page: Page, slug: string): void {
    this.leave(page)
    this.take(page, slug)
  }

  take(page: Page, slug: string): void {
    page.slug = slug
    this.pages.set(slug, page)
    this.freed.delete(slug)
  }

  leave(page: Page): void {
    this.pages.delete(page.slug)
    this.freed.set(page.slug, page.home)
  }

  remove(page: Page): void {
    this.leave(page)
    for (const link of this.links) if (link.page === page) link.revoked = true
  }

  removeFolder(folder: Folder): void {
    for (const page of this.inside(folder)) page.folder = undefined
    this.folders = this.folders.filter((one) => one !== folder)
  }

  /** What those leave behind who leave: their private folders become the team's. */
  part(person: Person): void {
    person.role = null
    for (const folder of this.folders) if (folder.creator === person) folder.sharing = "team"
  }

  /** Bytes of all that a home's pages keep, every content counted once. */
  living(home: Home): number {
    const bodies = new Set(this.of(home).flatMap(({ versions }) => [...versions.values()].flatMap((files) => [...files.values()])))
    return [...bodies].reduce((sum, body) => sum + body.length, 0)
  }
}
