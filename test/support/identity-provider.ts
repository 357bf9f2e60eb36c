/** A real OpenID Connect provider (oidc-provider) on loopback; the test decides who signs in there. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair } from "jose"
import { Provider } from "oidc-provider"

export const CLIENT = { id: "svc", secret: "a secret between the two of us" }

export interface Person {
  readonly email?: string
  readonly email_verified?: boolean | string
  readonly name?: string
  /** The address in the ID token, which says nothing of whether it is verified; undefined where it is the same. */
  readonly tokenEmail?: string
  /** Whom the userinfo endpoint tells of; undefined where it is the same. */
  readonly userinfoSubject?: string
}

export interface OpenProvider {
  readonly issuer: string
  /** By subject; a change takes effect at the next sign-in. */
  readonly people: Map<string, Person>
  /** For one client with one redirect address. Another address needs a new one. */
  readonly register: (redirect: string) => void
  /** Follows a browser's redirects through the provider, where `subject` signs in or, if undefined, aborts. */
  readonly visit: (url: string, subject: string | undefined) => Promise<URL>
  /** Who signs in there with a browser of their own; undefined: somebody who aborts. */
  readonly seat: (subject: string | undefined) => void
  /** From now on it signs with a key that is none of those it publishes, or with its own again. */
  readonly forge: (forges: boolean) => void
  /** From now on it closes every connection, or works again. */
  readonly away: (away: boolean) => void
  /** The requests that it received, as method and path. */
  readonly asked: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

const make = (issuer: string, redirect: string, people: ReadonlyMap<string, Person>, key: object) => {
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirect] }],
    claims: { openid: ["sub", "email"], email: ["email", "email_verified"], profile: ["name"] },
    jwks: { keys: [key] },
    cookies: { keys: ["for the tests alone"] },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: (use) => {
        const { tokenEmail, userinfoSubject: _, ...facts } = people.get(sub) ?? {}
        return { sub, ...facts, ...(use === "id_token" && tokenEmail !== undefined && { email: tokenEmail }) }
      }
    }),
    // The consent step is skipped.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId: oidc.session!.accountId! })
      grant.addOIDCScope("openid email profile")
      await grant.save()
      return grant
    }
  })
  provider.use(async (context, next) => {
    await next()
    const said = context.path === "/me" ? context.body as { readonly sub?: string } : {}
    const userinfoSubject = people.get(said.sub ?? "")?.userinfoSubject
    if (userinfoSubject !== undefined) context.body = { ...said, sub: userinfoSubject }
  })
  return provider
}

export const openProvider = async (): Promise<OpenProvider> => {
  const people = new Map<string, Person>()
  const asked: Array<string> = []
  const [own, other] = [await generateKeyPair("RS256", { extractable: true }), await generateKeyPair("RS256", { extractable: true })]
  const jwk = async (key: CryptoKey) => ({ ...(await exportJWK(key)), use: "sig", alg: "RS256", kid: "one" })
  const [key, forged, published] = [await jwk(own.privateKey), await jwk(other.privateKey), JSON.stringify({ keys: [await jwk(own.publicKey)] })]
  let provider: Provider | undefined
  let registered = ""
  let gone = false
  let signingIn: string | undefined

  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    asked.push(`${request.method} ${path.split("?", 1)[0]}`)
    if (gone || provider === undefined) return void request.socket.destroy()
    if (path === "/jwks") return void response.writeHead(200, { "content-type": "application/jwk-set+json" }).end(published)
    if (!path.startsWith("/interaction/")) return void provider.callback()(request, response)
    const result = signingIn === undefined ? { error: "access_denied" } : { login: { accountId: signingIn } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    people,
    asked,
    register: (redirect) => {
      if (redirect !== registered) provider = make(issuer, registered = redirect, people, key)
    },
    visit: async (start, subject) => {
      const cookies = new Map<string, string>()
      signingIn = subject
      let url = new URL(start)
      while (url.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        const answer = await fetch(url, { redirect: "manual", headers: { cookie } })
        for (const line of answer.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
          cookies.set(name!, value!)
        }
        const location = answer.headers.get("location")
        if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
        url = new URL(location, url)
      }
      return url
    },
    seat: (subject) => {
      signingIn = subject
    },
    forge: (forges) => {
      provider = make(issuer, registered, people, forges ? forged : key)
    },
    away: (away) => {
      gone = away
      if (away) server.closeAllConnections()
    },
    stop: () => new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}
