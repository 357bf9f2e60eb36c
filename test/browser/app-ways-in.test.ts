/** The ways in and out of the web app, each to its end: by forms, mails and the identity provider, for invitations, devices, agents and private documents. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { afterAll } from "vitest"
import * as wire from "../support/ask.ts"
import { comesTo, executable, hasChromium, noted, windows } from "../support/browser.ts"
import { CLIENT, openProvider } from "../support/identity-provider.ts"
import { invited } from "../support/invited.ts"
import { mailTo } from "../support/mail.ts"
import { elsewhere } from "../support/newcomers.ts"
import { pkce, posted, REDIRECT, register, signIn as sessionOf } from "../support/oauth.ts"
import { PASSWORD, Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"
import { ask } from "../support/team.ts"

const provider = await openProvider()

const settings = { SVC_TRUSTED_PROXY_HOPS: "1", SVC_IDP_ISSUER: provider.issuer, SVC_IDP_CLIENT_ID: CLIENT.id, SVC_IDP_CLIENT_SECRET: CLIENT.secret }

const heard = new Map<Page, ReturnType<typeof noted>>()
const shared = windows(async (page) => {
  heard.set(page, noted(page))
  await page.context().route(/\/v1\/auth\/(?!idp)/, (route) => route.continue({ headers: { ...route.request().headers(), ...elsewhere() } }))
  await page.context().route(`${REDIRECT}**`, (route) => route.fulfill({ contentType: "text/html", body: "<title>Agent</title>" }))
})
afterAll(() => Promise.all([shared.close(), provider.stop()]))

/** Somebody with a browser of their own, signed in only as `account`; with a client address of their own, since one address may sign in five times a minute. */
const somebody = Effect.fnUntraced(function*(account?: Pick<Account, "email">) {
  const service = yield* Service
  const page = yield* Effect.acquireRelease(
    Effect.promise(() => shared.lend({ reducedMotion: "reduce", viewport: { width: 1280, height: 800 } })),
    () => Effect.promise(shared.takeBack)
  )
  const { forget, ...seen } = heard.get(page)!
  forget()
  const base = `http://svc.localhost:${service.port}`
  if (account !== undefined) {
    const { cookie } = yield* sessionOf(service, account.email, elsewhere())
    yield* Effect.promise(() => page.context().addCookies(wire.browserCookies(cookie)))
  }
  return { ...seen, page, base, open: (path: string) => page.goto(base + path) }
})

const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
}
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole("link", { name, exact: true }).click()
const titled = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor()

const lacks = (page: Page, label: string, words: string) =>
  page.getByLabel(label, { exact: true }).locator("../..").getByRole("alert").getByText(words, { exact: true }).waitFor()

const signIn = async (page: Page, Email: string, Password = PASSWORD) => {
  await fill(page, { Email, Password })
  await press(page, "Sign in")
}

interface Shown {
  readonly user: { readonly email: string; readonly email_verified: boolean; readonly idp_linked: boolean }
  readonly workspaces: ReadonlyArray<{ readonly id: string; readonly role: string }>
}
/** Who is signed in, according to the browser's cookies. */
const whoIsIn = async (page: Page): Promise<Shown | null> => {
  const { port } = new URL(page.url())
  const cookies = await page.context().cookies(`http://svc.localhost:${port}`)
  const { json, status } = await wire.ask(Number(port), "/v1/me", { headers: { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") } })
  return status === 200 ? json : null
}

/** The link in the newest of so many mails to an address. */
const linkTo = (email: string, count = 1) =>
  Service.use((service) => Effect.map(mailTo(service, email, count), ([mail]) => mail!.links.find((link) => link.includes("token="))!))

/** Browsers log every refused request; only other errors count. */
const unexpected = (errors: ReadonlyArray<string>) => errors.filter((text) => !/status of 4(?:0[134]|22|29)/.test(text))

describe.skipIf(!hasChromium)(`the ways in and out of the app (${executable})`, () => {
  layer(serviceWith(settings), { excludeTestServices: true })((it) => {
    it.effect("signing up: the mail's link, opened in another tab, confirms the address; then the library is theirs", () =>
      Effect.gen(function*() {
        const { errors, open, page, strangers } = yield* somebody()
        const email = "newcomer@example.com"
        yield* Effect.promise(async () => {
          await open("/signup")
          // Whether trials end here is not known yet, so the page promises nothing about it.
          await page.getByText("You get a workspace of your own.", { exact: true }).waitFor()
          // Missing input is reported beside its field, and nothing is sent; the first such field has the focus.
          await fill(page, { "Your name": "Nora New", Password: "short" })
          await press(page, "Sign up")
          await lacks(page, "Email", "Fill this in.")
          await lacks(page, "Password", "Use at least 8 characters.")
          assert.isTrue(await page.getByLabel("Email").evaluate((field) => field === document.activeElement))
          await fill(page, { Email: email, Password: PASSWORD })
          assert.strictEqual(await page.getByRole("alert").count(), 0)
          await press(page, "Sign up")
          await titled(page, "Check your mail")
          await page.getByText("Then you can publish. The mail goes to newcomer@example.com.").waitFor()
          // Said once, and not before it is so.
          await page.route("**/v1/auth/verify-email/resend", (route) => route.fulfill({ status: 202, json: { status: "ok" } }))
          const heard = await page.getByRole("status").evaluateHandle((status) => {
            const all: Array<string> = []
            new MutationObserver(() => void all.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true })
            return all
          })
          await press(page, "Send it again")
          await page.getByRole("status").getByText("Sent again.").waitFor()
          await comesTo(() => page.locator("button[aria-busy=true]").count(), 0)
          assert.deepStrictEqual(await heard.jsonValue(), ["Sent again."])
        })
        const link = yield* linkTo(email)
        yield* Effect.promise(async () => {
          const other = await page.context().newPage()
          await other.goto(link)
          await titled(other, "Confirm your email address")
          assert.notInclude(other.url(), "token")
          await press(other, "Confirm my address")
          await titled(other, "Address confirmed")
          await follow(other, "Go on")
          await titled(other, "Sign in")
          assert.strictEqual(await other.getByLabel("Email").inputValue(), email)
          const pages = await other.evaluate(() => history.length)
          await signIn(other, email)
          await titled(other, "Library")
          // In place of the sign-in, which the way back would show again.
          assert.strictEqual(await other.evaluate(() => history.length), pages)
          assert.deepInclude((await whoIsIn(other))!.user, { email, email_verified: true })
          assert.strictEqual(await other.getByText("once your address is confirmed").count(), 0)

          // The link again: nothing is lost, and a new link is one click away.
          await other.goto(link)
          await press(other, "Confirm my address")
          await titled(other, "This link does not work")
          await other.getByText("If your address is confirmed already, there is nothing left to do.").waitFor()
          await other.close()
        })
        assert.deepStrictEqual([unexpected(errors), strangers], [[], []])
      }))

    it.effect("a commenter who signs up is told that they can comment, and is led back", () =>
      Effect.gen(function*() {
        const { account, ask, port } = yield* Service
        const owner = yield* account()
        yield* ask("/v1/projects/talked", { method: "PUT", body: "# Talked about", headers: { ...owner.bearer, "content-type": "text/markdown" } })
        const { open, page } = yield* somebody()
        const email = "commenter@example.com"
        yield* Effect.promise(async () => {
          await open("/v1/gate/comment?slug=talked&new=1&next=%2F%3Fpage%3D2")
          await page.getByText("Then you go back to the document and can comment.").waitFor()
          await fill(page, { "Your name": "Cora", Email: email, Password: PASSWORD })
          await press(page, "Sign up")
          await page.getByText("Then you can comment.").waitFor()
        })
        assert.include((yield* mailTo(yield* Service, email))[0]!.text, "and you can comment.")
        const link = yield* linkTo(email)
        yield* Effect.promise(async () => {
          await page.goto(link)
          await page.getByText("Then you can comment.").waitFor()
          await press(page, "Confirm my address")
          await page.getByText("is yours, and you can comment.").waitFor()
          await follow(page, "Go on")
          await signIn(page, email)
          await page.waitForURL(`http://talked.svc.localhost:${port}/?page=2`)
        })
      }))

    it.effect("a mailed link signs in once and leads on; the second time it says so, and mails another", () =>
      Effect.gen(function*() {
        const { email } = yield* (yield* Service).account()
        const [{ base, errors, open, page }, second] = [yield* somebody(), yield* somebody()]
        yield* Effect.promise(async () => {
          await open("/connect?from=mail")
          await follow(page, "Get a link by mail")
          await titled(page, "Get a link by mail")
          await fill(page, { Email: email })
          await press(page, "Mail me a link")
          await titled(page, "Check your mail")
        })
        const first = yield* linkTo(email)
        yield* Effect.promise(async () => {
          await page.goto(first)
          await page.getByText("One click signs this browser in.").waitFor()
          assert.isNull(await whoIsIn(page))
          await press(page, "Sign in")
          await page.waitForURL(`${base}/connect?from=mail`)
          await titled(page, "Connect")
          assert.strictEqual((await whoIsIn(page))!.user.email, email)

          await second.page.goto(first)
          await press(second.page, "Sign in")
          await titled(second.page, "This link does not work")
          assert.isNull(await whoIsIn(second.page))
          await fill(second.page, { Email: email })
          await press(second.page, "Mail me a link")
          await titled(second.page, "Check your mail")
        })
        const another = yield* linkTo(email, 2)
        yield* Effect.promise(async () => {
          await second.page.goto(another)
          await press(second.page, "Sign in")
          await second.page.waitForURL(`${base}/connect?from=mail`)
          assert.strictEqual((await whoIsIn(second.page))!.user.email, email)
        })
        assert.deepStrictEqual([unexpected(errors), unexpected(second.errors)], [[], []])
      }))

    it.effect("a browser that keeps no cookie of a sign-in is told so where it signed in, and is not sent round", () =>
      Effect.gen(function*() {
        const { account, port } = yield* Service
        const { email } = yield* account()
        const { open, page } = yield* somebody()
        yield* Effect.promise(async () => {
          // As Safari has it over http: the answer arrives, and its cookies are not kept.
          await page.route("**/v1/auth/login", async (route) => {
            const answer = await wire.ask(port, "/v1/auth/login", { json: route.request().postDataJSON(), headers: elsewhere() })
            await route.fulfill({ status: answer.status, contentType: "application/json", body: answer.text })
          })
          await open("/login?next=%2Faccount")
          await signIn(page, email)
          await page.getByRole("alert").getByText("You were let in, but this browser keeps no sign-in of an http:// address").waitFor()
          assert.strictEqual(new URL(page.url()).pathname, "/login")
          await page.unroute("**/v1/auth/login")
          await signIn(page, email)
          await titled(page, "Account")
        })
      }))

    it.effect("a cookie that a browser keeps, but does not show yet, is a sign-in all the same", () =>
      Effect.gen(function*() {
        const { email } = yield* (yield* Service).account()
        const { open, page } = yield* somebody()
        yield* Effect.promise(async () => {
          await page.addInitScript(() => {
            if (location.pathname === "/login") Object.defineProperty(document, "cookie", { get: () => "" })
          })
          await open("/login?next=%2Faccount")
          await signIn(page, email)
          await titled(page, "Account")
        })
      }))

    it.effect("a forgotten password: the new one works, the old one does not, and other browsers and tokens are out", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { base, errors, open, page } = yield* somebody()
        const { bearer, email } = yield* service.account()
        const before = yield* somebody({ email })
        const chosen = "another battery of horses"
        yield* Effect.promise(async () => {
          await before.open("/account")
          await before.page.getByRole("heading", { name: "Your name" }).waitFor()
          await open("/login?next=%2Faccount%2Ftokens")
          await follow(page, "Forgot your password?")
          await titled(page, "Choose a new password")
          await fill(page, { Email: email })
          await press(page, "Mail me a link")
          await titled(page, "Check your mail")
        })
        const link = yield* linkTo(email)
        yield* Effect.promise(async () => {
          await page.goto(link)
          await fill(page, { "New password": "short" })
          await press(page, "Keep this password")
          await lacks(page, "New password", "Use at least 8 characters.")
          await fill(page, { "New password": "password" })
          await press(page, "Keep this password")
          await page.getByRole("alert").waitFor()
          await fill(page, { "New password": chosen })
          // Seen on request, with the caret where it was.
          const field = page.getByLabel("New password")
          await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(3, 3))
          await page.getByRole("button", { name: "Show new password" }).click()
          assert.deepStrictEqual(await field.evaluate((input: HTMLInputElement) => [input.type, input.value, input.selectionStart, input === document.activeElement]), ["text", chosen, 3, true])
          await page.getByRole("button", { name: "Hide new password" }).click()
          assert.strictEqual(await field.getAttribute("type"), "password")
          await press(page, "Keep this password")
          await titled(page, "Your password is new")
          await follow(page, "Sign in")
          await signIn(page, email)
          await page.getByText("The email or the password is wrong.").waitFor()
          assert.isNull(await whoIsIn(page))
          await signIn(page, email, chosen)
          await page.waitForURL(`${base}/account/tokens`)
          assert.strictEqual((await whoIsIn(page))!.user.email, email)

          // The browser from before, at its next request.
          await before.page.getByRole("link", { name: "API tokens" }).click()
          await before.page.waitForURL(`${base}/login?next=%2Faccount%2Ftokens`)
          await titled(before.page, "Sign in")

          await page.goto(link)
          await fill(page, { "New password": "a third one, never kept" })
          await press(page, "Keep this password")
          await titled(page, "This link does not work")
          await page.getByRole("button", { name: "Mail me a link" }).waitFor()
        })
        assert.strictEqual((yield* service.ask("/v1/me", { headers: bearer })).status, 401)
        assert.deepStrictEqual([unexpected(errors), unexpected(before.errors)], [[], []])
      }))

    it.effect("an organisation's sign-in: somebody invited comes in and is known again; who turns back or is a stranger is told what to do", () =>
      Effect.gen(function*() {
        const host = yield* (yield* Service).account()
        const [{ base, errors, open, page }, other] = [yield* somebody(), yield* somebody()]
        provider.register(`${base}/v1/auth/idp/callback`)
        provider.people.set("olga", { email: "olga@example.com", email_verified: true, name: "Olga Organised" })
        provider.people.set("sven", { email: "stranger@example.com", email_verified: true })
        yield* invited(host, "olga@example.com")
        provider.seat("olga")
        const organisation = (page: Page) => follow(page, "Sign in with your organisation")
        yield* Effect.promise(async () => {
          await open("/login")
          await organisation(page)
          await titled(page, "Library")
          const { user, workspaces } = (await whoIsIn(page))!
          assert.deepInclude(user, { email: "olga@example.com", email_verified: true, idp_linked: true })
          assert.deepStrictEqual(workspaces.map(({ id, role }) => [id, role]), [[host.workspaceId, "member"]])
          await page.getByRole("button", { name: "Account: Olga Organised" }).click()
          await page.getByRole("menuitem", { name: "Sign out" }).click()
          await page.getByRole("heading", { level: 1, name: "Publish a document" }).waitFor()
          assert.isNull(await whoIsIn(page))

          await open("/account?from=mail")
          await organisation(page)
          await page.waitForURL(`${base}/account?from=mail`)
          await page.getByText("olga@example.com").first().waitFor()
        })
        for (const subject of [undefined, "sven"]) {
          provider.seat(subject)
          yield* Effect.promise(async () => {
            await other.open("/account?from=mail")
            await organisation(other.page)
            await titled(other.page, "Your organisation’s sign-in led nowhere")
            assert.isNull(await whoIsIn(other.page))
            await follow(other.page, "Back to signing in")
            await other.page.waitForURL(`${base}/login?next=%2Faccount%3Ffrom%3Dmail`)
          })
        }
        assert.deepStrictEqual([unexpected(errors), unexpected(other.errors)], [[], []])
      }))

    it.effect("an invitation: somebody new makes an account on its page; whoever has one signs in there; its link works once", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const host = yield* service.account({ plan: "agency" })
        yield* ask(host, "PATCH", "/v1/workspace", { name: "Northwind" })
        const known = yield* service.account()
        const [newcomer, returning] = [yield* somebody(), yield* somebody()]
        for (const email of ["invited@example.com", known.email]) {
          assert.strictEqual((yield* ask(host, "POST", "/v1/workspace/invites", { email, role: "member" })).status, 201)
        }
        const link = yield* linkTo("invited@example.com")
        yield* Effect.promise(async () => {
          const { page } = newcomer
          await page.goto(link)
          await page.getByText("Ada Example invites you").waitFor()
          assert.notInclude(page.url(), "token")
          await fill(page, { "Password, if you want one": "short" })
          await press(page, "Accept the invitation")
          await lacks(page, "Your name", "Fill this in.")
          await lacks(page, "Password, if you want one", "Use at least 8 characters.")
          await fill(page, { "Your name": "Ina Invited", "Password, if you want one": PASSWORD })
          await press(page, "Accept the invitation")
          await titled(page, "Library")
          await page.getByRole("button", { name: "Workspace: Northwind" }).waitFor()
          const { user, workspaces } = (await whoIsIn(page))!
          assert.deepInclude(user, { email: "invited@example.com", email_verified: true })
          assert.deepStrictEqual(workspaces.map(({ id, role }) => [id, role]), [[host.workspaceId, "member"]])

          await page.goto(link)
          await titled(page, "This invitation does not work")
          await page.getByText("Ask whoever invited you to send a new one.").waitFor()
        })
        const theirs = yield* linkTo(known.email)
        yield* Effect.promise(async () => {
          const { page } = returning
          await page.goto(theirs)
          await page.getByText("This address has an account already. Sign in to it, and you are in.").waitFor()
          await fill(page, { Password: "not it" })
          await press(page, "Sign in and accept")
          await page.getByText("The email or the password is wrong.").waitFor()
          await fill(page, { Password: PASSWORD })
          await press(page, "Sign in and accept")
          await page.getByRole("button", { name: "Workspace: Northwind" }).waitFor()
          const { user, workspaces } = (await whoIsIn(page))!
          assert.strictEqual(user.email, known.email)
          assert.sameDeepMembers(workspaces.map(({ id, role }) => [id, role]), [[known.workspaceId, "admin"], [host.workspaceId, "member"]])
        })
        assert.deepStrictEqual([unexpected(newcomer.errors), unexpected(returning.errors)], [[], []])
      }))

    it.effect("an invitation for another address: nobody joins by it, and the page says as whom to come", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const [host, known, other] = [yield* service.account({ plan: "agency" }), yield* service.account(), yield* service.account()]
        const { base, errors, open, page } = yield* somebody(other)
        const [forKnown, forNobody] = [yield* invited(host, known.email), yield* invited(host, "nobody-yet@example.com")]
        yield* Effect.promise(async () => {
          await open(`/invite?token=${forNobody}`)
          await page.getByText(`This browser is signed in as ${other.email}, and the invitation is for another address.`).waitFor()
          await page.getByText("To join with the account that you have, ask to be invited by its address.").waitFor()
          await follow(page, "Stay as you are")
          await titled(page, "Library")

          await open(`/invite?token=${forKnown}`)
          await page.getByText("the invitation is for another address. Sign in with that one.").waitFor()
          await press(page, "Sign in another way")
          await signIn(page, known.email)
          await page.getByText("Ada Example invites you").waitFor()
          assert.strictEqual(page.url(), `${base}/invite`)
          await press(page, "Accept the invitation")
          await titled(page, "Library")
          const { user, workspaces } = (await whoIsIn(page))!
          assert.strictEqual(user.email, known.email)
          assert.includeMembers(workspaces.map(({ id }) => id), [host.workspaceId])
        })
        const members = yield* ask(host, "GET", "/v1/workspace/members")
        assert.sameMembers(members.json.map(({ email }: { readonly email: string }) => email), [host.email, known.email])
        assert.deepStrictEqual(unexpected(errors), [])
      }))

    it.effect("a device: its address leads through the sign-in to the question; a yes gives a token that works, a no ends it", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { email } = yield* service.account()
        const { base, errors, open, page } = yield* somebody()
        const start = Effect.map(service.ask("/v1/auth/device", { method: "POST", headers: { "user-agent": "svc-cli/1.0 (linux)" } }), ({ json }) =>
          json as { readonly device_code: string; readonly user_code: string; readonly verification_url_complete: string })
        const poll = (device_code: string) => service.ask("/v1/auth/device/token", { json: { device_code } })
        const [wanted, unwanted] = [yield* start, yield* start]
        yield* Effect.promise(async () => {
          await page.goto(wanted.verification_url_complete)
          await titled(page, "Sign in")
          await page.getByText("Sign in to decide about a device that asks.").waitFor()
          await signIn(page, email)
          await page.waitForURL(wanted.verification_url_complete)
          await page.getByText("svc-cli/1.0 (linux)").waitFor()
          await page.getByText(wanted.user_code).waitFor()
          await page.getByText(`It can do everything that ${email} can, until you revoke it.`).waitFor()
          await press(page, "Let it in")
          await titled(page, "The device is let in")
          await page.getByText("We mailed you a note about it.").waitFor()
        })
        const { json } = yield* poll(wanted.device_code)
        assert.strictEqual(json.status, "approved")
        assert.strictEqual((yield* service.ask("/v1/me", { headers: { authorization: `Bearer ${json.token}` } })).json.user.email, email)
        assert.strictEqual((yield* mailTo(service, email))[0]!.subject, "A device was signed in")

        yield* Effect.promise(async () => {
          await follow(page, "See what is connected")
          await page.getByRole("button", { name: "Revoke svc-cli/1.0 (linux)" }).waitFor()
          await page.getByText("A device can do everything that you can; an agent publishes, reads and changes documents by the agents’ tools.").waitFor()
          // Typed by hand, first with a typing error.
          await open("/device")
          await fill(page, { Code: "ABCDE-FGHJ" })
          await press(page, "Continue")
          await page.getByText("A code lasts 15 minutes and works once.").waitFor()
          // A correct code, refused because of the limit: the same code can be tried again.
          const tooSoon = { error: { code: "rate_limited", message: "Too many tries. Wait a minute.", field: null, details: {} } }
          await page.route("**/v1/auth/device/*", (route) => route.fulfill({ status: 429, json: tooSoon }), { times: 1 })
          await fill(page, { Code: unwanted.user_code.toLowerCase() })
          await press(page, "Continue")
          await page.getByText("Too many tries. Wait a minute.").waitFor()
          await press(page, "Continue")
          await press(page, "Turn it away")
          await titled(page, "The device is turned away")
          assert.isTrue(page.url().startsWith(`${base}/device`))
        })
        const denied = yield* poll(unwanted.device_code)
        assert.strictEqual(denied.json.error.code, "device_denied")
        assert.lengthOf((yield* mailTo(service, email)), 1)
        assert.deepStrictEqual(unexpected(errors), [])
      }))

    it.effect("a device let in by an account whose address nobody confirmed: no mail goes out, and none is told of", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account({ verified: false })
        const { errors, page } = yield* somebody(account)
        const { json } = yield* service.ask("/v1/auth/device", { method: "POST" })
        yield* Effect.promise(async () => {
          await page.goto(json.verification_url_complete)
          await press(page, "Let it in")
          await titled(page, "The device is let in")
          await page.getByText("Go back to it: it goes on by itself.").waitFor()
          assert.notInclude(await page.locator("main").innerText(), "mailed")
        })
        assert.deepStrictEqual(unexpected(errors), [])
      }))

    it.effect("an agent: its request leads through the sign-in to the consent; a yes brings a code worth a token, a no says so", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { email } = yield* service.account()
        const { base, errors, page } = yield* somebody()
        const { client_id } = (yield* register(service)).json as { readonly client_id: string }
        const { challenge, verifier } = pkce()
        const request = new URLSearchParams({ client_id, redirect_uri: REDIRECT, response_type: "code", code_challenge: challenge, code_challenge_method: "S256", state: "s p&=", scope: "mcp", resource: `${base}/mcp` })
        const asks = `${base}/oauth/authorize?${request}`
        const answered = async () => {
          await page.waitForURL(`${REDIRECT}**`)
          return Object.fromEntries(new URL(page.url()).searchParams)
        }
        const brought = yield* Effect.promise(async () => {
          await page.goto(asks)
          await titled(page, "Sign in")
          await page.getByText("Sign in to decide about an agent that asks.").waitFor()
          await signIn(page, email)
          await page.waitForURL(asks)
          await page.getByText("agent.example").waitFor()
          await page.getByText(email).first().waitFor()
          await press(page, "Let it in")
          const { code, ...rest } = await answered()
          assert.deepStrictEqual(rest, { state: "s p&=", iss: base })
          return code!
        })
        const tokens = yield* posted(service, "/oauth/token", { grant_type: "authorization_code", client_id, code: brought, redirect_uri: REDIRECT, code_verifier: verifier, resource: `${base}/mcp` })
        assert.strictEqual(tokens.status, 200, tokens.text)
        const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } } }
        const opened = yield* service.ask("/mcp", { json: initialize, headers: { authorization: `Bearer ${tokens.json.access_token}`, accept: "application/json, text/event-stream" } })
        assert.strictEqual(opened.status, 200, opened.text)

        const refused = yield* Effect.promise(async () => {
          await page.goto(asks)
          await press(page, "Turn it away")
          return answered()
        })
        assert.deepInclude(refused, { error: "access_denied", state: "s p&=" })
        assert.notProperty(refused, "code")

        yield* Effect.promise(async () => {
          await page.goto(asks.replace(client_id, "0190f0f0-0000-7000-8000-000000000000"))
          await titled(page, "This does not work")
          await page.getByText("Remove svc in the program that sent you here and add it again: it then registers anew.").waitFor()
        })

        // A name in one long word hides nothing, least of all where the answer goes; on the buttons it is whole.
        const client_name = "Agent".repeat(16)
        const named = asks.replace(client_id, (yield* register(service, { client_name })).json.client_id)
        yield* Effect.promise(async () => {
          const within = () => page.locator("main").evaluate((main) => {
            const [all, room] = [document.createRange(), main.getBoundingClientRect()]
            all.selectNodeContents(main)
            return [...all.getClientRects()].every(({ left, right }) => left >= room.left && right <= room.right)
          })
          await page.goto(named)
          await page.getByText(client_name).waitFor()
          assert.isTrue(await within(), "who asks")
          await page.goto(named.replace("S256", "plain"))
          await page.getByRole("link", { name: `Tell ${client_name} what is wrong` }).waitFor()
          assert.isTrue(await within(), "what is wrong")
          await page.goto(named)
          await page.route(`${REDIRECT}**`, (route) => route.fulfill({ status: 204 }))
          await press(page, "Turn it away")
          await page.getByRole("link", { name: `Go back to ${client_name}` }).waitFor()
          assert.isTrue(await within(), "going back")
        })
        assert.deepStrictEqual(unexpected(errors), [])
      }))

    it.effect("a private document: a member signs in on the way and reads it at the very address; nobody else does", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const [owner, other] = [yield* service.account(), yield* service.account()]
        yield* service.ask("/v1/projects/inner", { method: "PUT", body: "<title>Inner</title><h1>For us alone</h1>", headers: { ...owner.bearer, "content-type": "text/html" } })
        yield* ask(owner, "PATCH", "/v1/projects/inner", { visibility: "private" })
        const { page, strangers } = yield* somebody()
        const address = `http://inner.svc.localhost:${service.port}/?page=2&of=5#costs`
        yield* Effect.promise(async () => {
          await page.goto(address)
          await titled(page, "This document is private")
          await follow(page, "Sign in")
          await titled(page, "Sign in")
          await page.getByText("Sign in to open the document.").waitFor()
          await signIn(page, other.email)
          await page.getByText(`You are signed in as ${other.email}. That account may not open this document.`).waitFor()
          assert.notInclude(await page.content(), "Inner")
          await page.goto(address)
          await titled(page, "This document is private")

          // The place within the document, too, which no server sees: as it is when the reader leaves.
          const place = "#$.costs[0]['a b']"
          await page.evaluate((place) => void (location.hash = place), place)
          await follow(page, "Sign in")
          await follow(page, "Sign in as someone else")
          await signIn(page, owner.email)
          await page.waitForURL(new URL(place, address).href)
          await page.getByRole("heading", { name: "For us alone" }).waitFor()
        })
        assert.deepStrictEqual(strangers, [])
      }))

    it.effect("signing out everywhere ends this browser's session at once and another's at its next request, which leads back to where it was", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const account = yield* service.account()
        const [here, there] = [yield* somebody(account), yield* somebody(account)]
        yield* Effect.promise(async () => {
          await there.open("/account")
          await fill(there.page, { Name: "Not kept yet" })
          await here.open("/account/sign-in")
          await press(here.page, "Sign out everywhere")
          await here.page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click()
          await titled(here.page, "Sign in")
          assert.isNull(await whoIsIn(here.page))

          // The typed text stays, with a hint what to do about it.
          await press(there.page, "Save")
          await there.page.getByText("You were signed out meanwhile. Sign in again in another tab").waitFor()
          assert.strictEqual(await there.page.getByLabel("Name", { exact: true }).inputValue(), "Not kept yet")
          await there.page.getByRole("link", { name: "Connected" }).click()
          await there.page.waitForURL(`${there.base}/login?next=%2Faccount%2Fconnections`)
          await signIn(there.page, account.email)
          await there.page.getByText("Nothing is connected").waitFor()
        })
        // API tokens stay valid.
        assert.strictEqual((yield* service.ask("/v1/me", { headers: account.bearer })).status, 200)
        assert.deepStrictEqual([unexpected(here.errors), unexpected(there.errors)], [[], []])
      }))
  })
})
