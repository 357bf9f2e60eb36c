/** The token of a mailed link: taken out of the address bar before anything else reads it, and kept for its own page alone. */
const LANDINGS = /^\/(?:verify-email|magic-link|reset-password|invite)\/?$/

const take = (): { readonly path: string; readonly token: string } | undefined => {
  const url = new URL(location.href)
  const tokens = url.searchParams.getAll("token")
  if (!LANDINGS.test(url.pathname) || tokens.length === 0) return undefined
  url.searchParams.delete("token")
  history.replaceState(null, "", url)
  const [token = ""] = tokens
  return tokens.length === 1 && token !== "" ? { path: url.pathname.replace(/\/$/, ""), token } : undefined
}

const taken = take()

export const mailedToken = (path: string): string | undefined => taken?.path === path ? taken.token : undefined
