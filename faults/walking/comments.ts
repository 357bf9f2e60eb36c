/** What a walk does about comments: it writes them, and says who may. */
import type { Answer } from "../../test/support/ask.ts"
import type { Steps, Walk } from "./walk.ts"
import type { CommentAccess, Level } from "./world.ts"

export const commentSteps = ({ as, ask, counts, done, equal, foretold, happens, one, people, readers, some, someTalk, somebody, team, world }: Walk): Steps => ({
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
    // Members may always: it is the others whom the lists are about.
    const outsiders = readers.filter(({ person }) => person !== undefined && person.role === null)
    const [reader, page] = [one(happens(0.6) ? outsiders : readers.slice(0, people.length)), someTalk()]
    const person = reader.person!
    const host = `${page.slug}.svc.localhost`
    const known = await ask("/v1/me", { headers: { cookie: person.session.cookie, origin: `http://${host}` } })
    if (!done(`${person.name} is known at ${page.slug}`, known, 200)) return
    const held = reader.jar.get(page.slug)
    const headers = { authorization: `Bearer ${known.json.comment_token}`, ...(held && { cookie: held.cookie }) }
    const { answer, wanted } = await foretold(() => world.speaking(person, page, held?.pass), () => ask("/_svc/comments", { host, headers, json: { body: `At step ${counts.steps}` } }))
    done(`${person.name} comments on ${page.slug}${held ? ` with the pass of a ${held.pass.via}` : ""}`, answer, wanted)
  }]
})
