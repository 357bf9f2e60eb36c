/** Who is signed in here, and signing out. */
import { Effect, Option } from "effect"
import { Command } from "effect/cli"
import { countText } from "../../domain/words.ts"
import { sizeText } from "../../http/contract/sizes.ts"
import { accountOf, Connection } from "../connection.ts"
import { changeCredentials, credentialsPath } from "../credentials.ts"
import { done, Output } from "../output.ts"
import { Refusal, usage } from "../refusal.ts"
import { facts, plain } from "../table.ts"
import { date } from "../words.ts"

/**
 * Revokes only this token; the account's others were made for other purposes. False where another one begins like it, since the
 * service tells no more of them than their first characters.
 */
export const revoke = Effect.fnUntraced(function*(base: string, token: string) {
  const client = yield* (yield* Connection).clientFor(base, token)
  const [own, other] = (yield* client.tokens.list()).filter(({ prefix }) => token.startsWith(prefix))
  if (own !== undefined && other === undefined) yield* client.tokens.revoke({ params: { token_id: own.id } })
  return other === undefined
})

export const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function*() {
    const { answer } = yield* Output
    const { base, lent, token: known } = yield* Connection
    if (lent) return yield* usage("The token comes from SVC_TOKEN, which is not ours to forget.", "unset SVC_TOKEN")
    const token = yield* known
    if (Option.isNone(token)) return yield* answer({ base, status: "signed_out" }, () => `You are not signed in to ${base}.`)
    const revoked = yield* revoke(base, token.value).pipe(
      // A token that the service rejects is as good as revoked.
      Effect.catchTag(["auth_required", "not_found"], () => Effect.succeed(true)),
      // Whatever else it answers, this machine forgets it.
      Effect.orElseSucceed(() => undefined)
    )
    // Signing out of one service does not change which service commands go to.
    const { services } = yield* changeCredentials(({ services, ...kept }) => {
      const { [base]: _, ...others } = services
      return { ...kept, services: others }
    })
    if (revoked !== true) {
      const whose = services[base]?.email || "this machine"
      const next = `Revoke it at ${base}/account/connections`
      return yield* revoked === undefined
        ? new Refusal({ exit: 4, code: "network", message: `Forgotten here, but ${base} did not answer as it should: the token of ${whose} still works.`, next })
        : new Refusal({ exit: 1, code: "conflict", message: `Forgotten here, but not revoked: another token of ${whose} begins like it, and it cannot be told which is which.`, next })
    }
    yield* answer({ base, status: "signed_out" }, (paint) => done(paint, `Signed out of ${base}. The token no longer works.`))
  })
).pipe(Command.withDescription("Sign out: the token is revoked and forgotten"))

export const whoami = Command.make(
  "whoami",
  {},
  Effect.fnUntraced(function*() {
    const { answer, listed } = yield* Output
    const { base, client, lent } = yield* Connection
    const api = yield* client
    const { user, workspaces } = yield* accountOf(api)
    // Only admins see plan and usage; for a member they are left out.
    const held = yield* Effect.forEach(workspaces, ({ id }) => api.workspaces.get({ query: { workspace: id } }).pipe(
      Effect.asSome,
      Effect.catchTag(["forbidden", "not_found"], () => Effect.succeedNone)
    ), { concurrency: 4 })
    yield* answer({ base, user, workspaces: workspaces.map((workspace, index) => ({ ...workspace, ...Option.getOrUndefined(held[index]!) })) }, (paint) => [
      ...facts([
        ["Name", user.name],
        ["Email", `${user.email}${user.emailVerified ? "" : " (not verified yet)"}`],
        ["Service", base],
        ["Token", lent ? "from SVC_TOKEN" : credentialsPath()]
      ]),
      "",
      ...listed(
        [{ title: "WORKSPACE", gives: true }, { title: "ID" }, { title: "YOU ARE" }, { title: "PLAN" }],
        workspaces.map(({ billingState, id, isOwner, linksDownOn, name, plan, role }) => [
          name,
          id,
          isOwner ? "owner" : role,
          linksDownOn === null ? `${plan}${billingState === "active" ? "" : `, ${billingState}`}` : `${plan}, links ${billingState === "down" ? "down since" : "go down on"} ${date(linksDownOn)}`
        ]),
        "You are in no workspace."
      ),
      ...held.flatMap((found) => Option.isNone(found) ? [] : [
        "",
        paint.bold(plain(found.value.name)),
        ...facts([
          ["  Projects", `${found.value.usage.projects} of ${found.value.limits.projects}`],
          ["  Storage", `${sizeText(found.value.usage.storageBytes)} of ${sizeText(found.value.limits.storageBytes)}`],
          ["  One upload", `up to ${sizeText(found.value.limits.uploadBytes)}`],
          ["  Seats", `${found.value.usage.seats} of ${found.value.limits.seats}`],
          ["  Kept", `${countText(found.value.limits.versionsKept, "version")}, analytics for ${countText(found.value.limits.analyticsDays, "day")}`],
          ["  Trial", found.value.billingState !== "trialing" || found.value.trialEndsAt === null ? undefined : `until ${date(found.value.trialEndsAt)}`]
        ])
      ])
    ])
  })
).pipe(Command.withDescription("Who you are, your workspaces, and what they hold"))
