/** People who come in over the wire as anybody does: signed up, verified by mail, signed in, with a token. */
import { assert } from "vitest"
import { cookiesOf } from "./ask.ts"
import type { SessionHeaders } from "./oauth.ts"
import { tokenIn } from "./post-office.ts"
import type { PostOffice } from "./post-office.ts"
import { eventually } from "./program.ts"
import type { Program } from "./program.ts"

export interface Newcomer {
  readonly id: string
  readonly email: string
  readonly workspace: string
  readonly session: SessionHeaders
  readonly bearer: { readonly authorization: string }
}

export const NEWCOMER_PASSWORD = "correct horse battery staple"

let clients = 0
/** A client address of its own, so that one try does not count against another. */
export const elsewhere = () => ({ "x-forwarded-for": `10.9.${Math.floor(++clients / 250)}.${clients % 250}` })

export const comesIn = async (program: Program, post: PostOffice, name: string): Promise<Newcomer> => {
  const email = `${name}@example.com`
  const headers = elsewhere()
  const signup = await program.ask("/v1/auth/signup", { json: { email, password: NEWCOMER_PASSWORD }, headers })
  assert.strictEqual(signup.status, 202, signup.text)
  const token = await eventually(`a letter to ${email}`, () => post.lettersTo(email).map((letter) => tokenIn(letter, "verify-email"))[0])
  assert.strictEqual((await program.ask("/v1/auth/verify-email/confirm", { json: { token } })).status, 200)
  const login = await program.ask("/v1/auth/login", { json: { email, password: NEWCOMER_PASSWORD }, headers })
  assert.strictEqual(login.status, 200, login.text)
  const session = { cookie: cookiesOf(login), "x-csrf-token": login.json.csrf_token as string }
  const made = await program.ask("/v1/tokens", { json: { label: "tests" }, headers: session })
  const bearer = { authorization: `Bearer ${made.json.token as string}` }
  const { user, workspaces } = (await program.ask("/v1/me", { headers: bearer })).json
  return { id: user.id, email, workspace: workspaces[0].id, session, bearer }
}
