/** For readers who are not signed in: links to sign in or up and to come back to this very place. */
import { make } from "./elements.ts"
import { keep, kept } from "./keeping.ts"

/** Goes through the service, which redirects only to this project. */
const wayTo = (base: string, isNew: boolean): string => {
  const { hash, hostname, pathname, search } = location
  const query = new URLSearchParams({ slug: hostname.split(".", 1)[0]!, next: pathname + search + hash, ...(isNew && { new: "1" }) })
  return `${base}/v1/gate/comment?${query.toString()}`
}

const LEFT = "left"

/** Whether the reader left from here to sign in; true only once. */
export const cameBack = (): boolean => {
  const left = kept(LEFT) !== null
  keep(LEFT, null)
  return left
}

/**
 * Somebody who confirms an address by mail goes on in another window, which knows nothing of this one. So for an hour,
 * every window of this document knows that a reader left it to sign in, and what they were about to comment on.
 */
const AWAY = "svc-comment away"
const AWAY_MS = 60 * 60_000

interface Away {
  readonly at: number
  readonly path: string
  readonly anchor: string | null
}

export const forgetAway = (): void => {
  try {
    localStorage.removeItem(AWAY)
  } catch {
    // Without storage, nothing was kept.
  }
}

/** Whether a reader left another window to sign in; if so, this window takes over what they were about to comment on. */
export const leftElsewhere = (): boolean => {
  try {
    const { anchor, at, path } = JSON.parse(localStorage.getItem(AWAY) ?? "") as Away
    if (path !== location.pathname || !(Date.now() - at < AWAY_MS)) return false
    if (anchor !== null && kept("anchor") === null) keep("anchor", anchor)
    return true
  } catch {
    return false
  }
}

const leave = (): void => {
  keep(LEFT, "1")
  try {
    localStorage.setItem(AWAY, JSON.stringify({ at: Date.now(), path: location.pathname, anchor: kept("anchor") } satisfies Away))
  } catch {
    // Without storage, only this window knows.
  }
}

/** So that nobody signs up who could not comment then. */
const WHO: Readonly<Record<string, string>> = {
  members: "Only members of its workspace can comment.",
  allowlist: "Members of its workspace and people on its list can comment. To be put on it, ask whoever sent you the link."
}

export const wayIn = (base: string, wasAway: boolean): HTMLElement => {
  const link = (words: string, isNew: boolean, className: string): HTMLAnchorElement => {
    const made = make("a", { className, textContent: words, href: wayTo(base, isNew) })
    made.addEventListener("click", () => {
      // The page's address may have changed since.
      made.href = wayTo(base, isNew)
      leave()
    })
    return made
  }
  const access = document.body.dataset["comments"] ?? ""
  return make("div", { className: "way-in" },
    WHO[access] !== undefined && make("p", { className: "note", textContent: WHO[access] }),
    wasAway && make("p", { className: "note", textContent: `This page still does not see you signed in. If your browser blocks cookies of other sites, allow those of ${new URL(base).host}.` }),
    make("p", { className: "row" }, link("Sign in to comment", false, "post"), access !== "members" && link("New here? Sign up", true, "quiet")))
}
