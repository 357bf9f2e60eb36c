/** Talks to the project's own host, and asks the service who is reading; says in a sentence what went wrong. */
import type { Anchor } from "../stage.ts"
import { answered, keyFor } from "./sending.ts"
import type { Listed, Reply, Thread, You } from "./wire.ts"

/** A token lives for fifteen minutes; one that is about to expire is not used. */
const FRESH_MS = 13 * 60_000
/** A proof lives for twelve hours from its page. The service lets no other page read its answer, so that one too late would seem not to arrive. */
const PROVEN_MS = (11 * 60 + 50) * 60_000
const COMMENTS = "/_svc/comments"

/** For a page that outlived the reader's way in. What it shows stays until it is left. */
const SHUT: Readonly<Record<string, string>> = {
  doorcode: "This document asks for a doorcode now. Reload the page to type it.",
  private: "This document does not open for you any more. You can read on until you leave or reload this page. After that, ask the person who sent you the link, or sign in with an account that may open it."
}

export class Refused extends Error {
  readonly status: number
  /** Whether trying again would change nothing: the document, its comments or this thread are not open to the reader any more. */
  readonly isShut: boolean
  constructor(status: number, message: string, { field, reason }: { readonly field?: unknown, readonly reason?: unknown } = {}) {
    const shut = typeof reason === "string" ? SHUT[reason] : undefined
    super(shut ?? message)
    this.status = status
    this.isShut = shut !== undefined || status === 410 || reason === "not_allowed_to_comment"
      || reason === "edit_window_closed"
      // A comment that is not there any more is named, and so is a first try that is still under way.
      || ((status === 404 || status === 409) && field == null)
  }
}

/** Somebody else signed in in another tab: what this page was asked for is not done in their name before they say so. */
export class Another extends Refused {
  readonly email: string
  constructor(email: string) {
    super(403, `You are signed in as ${email} now. Nothing was sent. Look again before you go on.`)
    this.email = email
  }
}

const OFFLINE = "That did not reach the service. Check your connection, then try again."

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

const refusal = async (response: Response): Promise<Refused> => {
  const json: unknown = await response.json().catch(() => undefined)
  const error = isObject(json) && isObject(json["error"]) ? json["error"] : {}
  const details = isObject(error["details"]) ? error["details"] : {}
  return new Refused(response.status, typeof error["message"] === "string" ? error["message"] : "That did not work. Try again in a moment.", { field: error["field"], reason: details["reason"] })
}

/** The body was cut off, or is a page of some proxy in between: whether the request took effect is unknown. */
const told = async <A>(response: Response): Promise<A> => {
  try {
    return await response.json() as A
  } catch {
    throw new Refused(0, OFFLINE)
  }
}

export interface ClientOptions {
  /** The address of the service. */
  readonly base: string
  /** Empty where one is needed, and this page has none: the way in leads to one. */
  readonly proof: string | undefined
  /** Called when the session has ended, and when the reader is signed in again, or somebody else is. */
  readonly turned?: (isKnown: boolean) => void
}

export interface Draft {
  readonly body: string
  readonly anchor?: Anchor | undefined
  readonly parentId?: string | undefined
  /** The address of whoever wrote it. */
  readonly as?: string | undefined
  /** The version that its author reads; undefined where that is whichever was newest as the page was loaded. */
  readonly version?: number | undefined
}

export const client = ({ base, proof, turned }: ClientOptions) => {
  let token: { readonly value: string, readonly at: number } | undefined
  let asking: Promise<string | undefined> | undefined
  /** The address of whoever was signed in when that was last asked, kept after they signed out. */
  let person: string | undefined
  /** The session ended: the reader may sign in again in another tab, so every further action asks again. */
  let isLost = false
  let skew = 0
  const opened = Date.now()

  const nobody = (): undefined => {
    const wasKnown = token !== undefined
    token = undefined
    if (!wasKnown) return
    isLost = true
    turned?.(false)
  }

  const identify = async (): Promise<string | undefined> => {
    if (proof === "" || (proof !== undefined && Date.now() - opened > PROVEN_MS)) return nobody()
    const address = `${base}/v1/me${proof === undefined ? "" : `?shell=${encodeURIComponent(proof)}`}`
    const response = await fetch(address, { credentials: "include" }).catch(() => undefined)
    if (response === undefined) throw new Refused(0, OFFLINE)
    if (response.status === 401) return nobody()
    if (!response.ok) throw await refusal(response)
    const json = await told<unknown>(response)
    const value = isObject(json) ? json["comment_token"] : undefined
    // Without a token, the service does not know this page as one of its viewers.
    if (typeof value !== "string") return nobody()
    token = { value, at: Date.now() }
    const user = isObject(json) ? json["user"] : undefined
    const [before, email] = [person, isObject(user) && typeof user["email"] === "string" ? user["email"] : undefined]
    person = email
    if (isLost || (before !== undefined && before !== email)) turned?.(true)
    isLost = false
    return value
  }

  /** Concurrent callers share one request. */
  const signIn = (): Promise<string | undefined> => asking ??= identify().finally(() => (asking = undefined))

  const send = async (path: string, init: RequestInit, value: string | undefined): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (value !== undefined) headers.set("authorization", `Bearer ${value}`)
    const response = await fetch(COMMENTS + path, { ...init, headers }).catch(() => undefined)
    if (response === undefined) throw new Refused(0, OFFLINE)
    const now = Date.parse(response.headers.get("date") ?? "")
    if (!Number.isNaN(now)) skew = now - Date.now()
    return response
  }

  /** The service lets only pages of a project that has comments read who is signed in. Where that is over, the project's own host says so. */
  const signInHere = (): Promise<string | undefined> =>
    signIn().catch(async (error: unknown) => {
      const response = error instanceof Refused && error.status === 0 ? await send("?limit=1", {}, token?.value) : undefined
      throw response === undefined || response.ok || response.status === 401 ? error : await refusal(response)
    })

  const bearer = async (): Promise<string | undefined> => {
    if (token === undefined) return isLost ? signInHere() : undefined
    return Date.now() - token.at < FRESH_MS ? token.value : signInHere()
  }

  /** `as`: who is meant, if somebody is. */
  const ask = async <A>(path: string, init: RequestInit = {}, as?: string): Promise<A> => {
    const isMeant = (): boolean => as === undefined || person === undefined || person === as
    const meant = (value: string | undefined): string | undefined => {
      if (value !== undefined && !isMeant()) throw new Another(person!)
      return value
    }
    const held = await bearer()
    // Whoever is meant may be back.
    const before = isMeant() ? held : meant(await signInHere())
    let response = await send(path, init, before)
    // Refused before it expired: the account's sessions have changed. Asked once more as whoever is signed in now.
    if (response.status === 401 && before !== undefined) response = await send(path, init, meant(await signInHere()))
    if (!response.ok) throw await refusal(response)
    return told<A>(response)
  }

  /** `as`: whose words these are, or for whom the page was drawn. */
  const change = <A>(path: string, init: RequestInit, as = person): Promise<A> => ask(path, init, as)

  const json = (method: string, body: unknown): RequestInit =>
    ({ method, body: JSON.stringify(body), headers: { "content-type": "application/json" } })

  /** Reads all pages: the panel shows every thread at once, and counts them. */
  const list = async (): Promise<Pick<Listed, "version" | "you"> & { readonly threads: ReadonlyArray<Thread> }> => {
    const threads: Array<Thread> = []
    let listed: Listed | undefined
    do {
      listed = await ask<Listed>(`?limit=100${listed === undefined ? "" : `&cursor=${listed.next_cursor}`}`)
      threads.push(...listed.comments)
    } while (listed.next_cursor !== null)
    return { threads, version: listed.version, you: listed.you }
  }

  /** Who reads, with as few threads as can be asked for. */
  const whoReads = async (): Promise<You | null> => (await ask<Listed>("?limit=1")).you

  const post = async ({ anchor, as, body, parentId, version }: Draft): Promise<Thread | Reply> => {
    const written = JSON.stringify({ body, ...(anchor && { anchor }), ...(parentId !== undefined && { parent_id: parentId }), ...(version !== undefined && { version }) })
    const headers = { "content-type": "application/json", "idempotency-key": keyFor(written) }
    const made = await change<Thread | Reply>("", { method: "POST", body: written, headers }, as).catch((error: unknown) => {
      // It was created and has been deleted since: sent once more, it is another comment.
      if (error instanceof Refused && error.status === 404) answered(written)
      throw error
    })
    answered(written)
    return made
  }

  return {
    list,
    whoReads,
    post,
    signIn,
    /** The address of whoever is signed in, as far as this page knows. */
    person: (): string | undefined => person,
    edit: (id: string, body: string, as?: string): Promise<Thread | Reply> => change(`/${id}`, json("PATCH", { body }), as),
    settle: (id: string, status: Thread["status"]): Promise<Thread> => change(`/${id}`, json("PATCH", { status })),
    remove: (id: string): Promise<unknown> => change(`/${id}`, { method: "DELETE" }),
    /** The service's clock. */
    now: (): number => Date.now() + skew
  }
}

export type Client = ReturnType<typeof client>
