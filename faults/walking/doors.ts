/** What a walk does at doors: it makes links and revokes them, opens them, tries doorcodes, and goes in as a member. */
import { cookiesOf } from "../../test/support/ask.ts"
import { elsewhere } from "../../test/support/newcomers.ts"
import type { Reader, Steps, Walk } from "./walk.ts"
import type { Link, Page, Person } from "./world.ts"

export const doorSteps = ({ about, as, ask, counts, done, either, equal, foretold, happens, known, one, people, readers, slugs, some, somePage, someSlug, somebody, world }: Walk): Steps => {
  const openLink = async (reader: Reader, link: Link, slug: string) => {
    const page = world.pages.get(slug)
    const held = reader.jar.get(slug)
    const { answer, wanted } = await foretold(() => {
      const door = world.door(page, undefined)
      return door === 410 || page === undefined ? door : page === link.page && !link.revoked ? 303 : 404
    }, () => ask(`/_svc/gate/share?t=${link.token}`, { host: `${slug}.svc.localhost`, headers: { "x-forwarded-for": reader.address, ...(held && { cookie: held.cookie }) } }))
    if (!done(`${reader.person?.name ?? "somebody"} opens a link to ${link.page.slug} at ${slug}`, answer, wanted)) return
    const isMember = held?.pass.via === "member" && world.holds(held.pass, page!)
    if (!isMember) link.opens++
    const cookie = cookiesOf(answer)
    const keeps = isMember || (held?.pass.via === "link" && held.pass.link === link)
    equal(`a pass for ${slug}`, cookie !== "", !keeps)
    if (cookie !== "") reader.jar.set(slug, { cookie, pass: { via: "link", page: page!, link } })
  }

  const tryDoorcode = async (reader: Reader, page: Page, code: string) => {
    const { answer, wanted } = await foretold(() => {
      const door = world.door(page, undefined)
      // Where none is asked for, there is nothing to try.
      return door === 200 || (door === 401 && code === page.doorcode) ? 303 : door
    }, () => ask("/_svc/gate/password", {
      method: "POST", host: `${page.slug}.svc.localhost`, body: new URLSearchParams({ password: code }).toString(),
      headers: { ...elsewhere(), "content-type": "application/x-www-form-urlencoded" }
    }))
    if (!done(`${reader.person?.name ?? "somebody"} knocks at ${page.slug}`, answer, wanted)) return
    const cookie = cookiesOf(answer)
    equal(`a pass for ${page.slug}`, cookie !== "", page.visibility === "password")
    if (cookie !== "") reader.jar.set(page.slug, { cookie, pass: { via: "doorcode", page, epoch: page.epoch } })
  }

  const goIn = async (reader: Reader, person: Person, slug: string) => {
    const page = world.pages.get(slug)
    const asked = await ask(`/v1/gate/member?slug=${slug}&next=/`, { headers: { cookie: person.session.cookie } })
    if (!done(`${person.name} enters ${slug}`, asked, page === undefined ? 404 : world.sees(person, page) ? 303 : 403)) return
    const { pathname, search } = new URL(asked.headers.location!)
    const { answer, wanted } = await foretold(() => world.door(page, undefined) === 410 ? 410 : 303, () => ask(pathname + search, { host: `${slug}.svc.localhost` }))
    if (done(`${person.name} is let into ${slug}`, answer, wanted)) reader.jar.set(slug, { cookie: cookiesOf(answer), pass: { via: "member", page: page!, person } })
  }

  return {
    share: [3, async () => {
      const page = somePage()
      const person = somebody(page)
      const json = { label: `For ${counts.steps}` }
      const answer = await either(() => as(person, `/v1/projects/${page.slug}/share-links`, { json }), [person, "create_share_link", { slug: page.slug, ...json }], () => true)
      if (done(`${person.name} shares ${page.slug}`, answer, world.changing(person, page, 201))) world.links.push({ id: answer.json.id, token: answer.json.token, page, opens: 0, revoked: false })
    }],

    revoke: [1, async () => {
      const [person, link] = [one(people), some(world.links)]
      if (link === undefined) return
      about(link.page)
      const wanted = link.revoked ? 404 : world.changing(person, link.page, 200)
      if (done(`${person.name} revokes a link to ${link.page.slug}`, await either(() => as(person, `/v1/share-links/${link.id}`, { method: "DELETE" }), [person, "revoke_share_link", { share_link_id: link.id }]), wanted)) link.revoked = true
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
      await tryDoorcode(reader, page, happens(0.7) && page.doorcode !== null ? page.doorcode : "not the doorcode")
    }],

    enter: [5, async () => {
      const reader = one(readers.slice(0, people.length))
      await goIn(reader, reader.person!, happens(0.2) ? someSlug() : somePage().slug)
    }]
  }
}
