/** What a walk does with members: it changes their roles, removes them, and invites them again. */
import { PLANS } from "./world.ts"
import type { Steps, Walk } from "./walk.ts"

export const memberSteps = ({ ada, as, bea, cleo, done, invite, mayBeInvited, one, people, plan, team, world }: Walk): Steps => ({
  promote: [1, async () => {
    const [person, member, role] = [one([ada, bea, cleo]), one([bea, cleo]), one<"admin" | "member">(["admin", "member"])]
    const wanted = person.role === null ? 404 : person.role !== "admin" ? 403 : member.role === null ? 404 : 200
    const answer = await as(person, `/v1/workspace/members/${member.id}?workspace=${team}`, { method: "PATCH", json: { role } })
    if (done(`${person.name} makes ${member.name} ${role}`, answer, wanted)) member.role = role
  }],

  part: [1, async () => {
    const [person, member] = [one([ada, bea, cleo]), one([ada, bea, cleo])]
    // Who could not be invited again stays, and so does the owner.
    if (member === ada ? person === ada : !mayBeInvited(member)) return
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
    const role = one<"admin" | "member">(["admin", "member"])
    const seats = people.filter(({ role }) => role !== null).length
    await invite(member, role, seats < PLANS[plan].seats ? 201 : 402)
  }]
})
