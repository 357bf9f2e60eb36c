/** The path of a request, as it was sent and as the router reads it. */

export const pathOf = ({ url }: { readonly url: string }): string => url.split("?", 1)[0] ?? "/"

/** Without escapes, where they are right. */
export const routed = (request: { readonly url: string }): string => {
  const path = pathOf(request)
  try {
    return path.includes("%") ? decodeURI(path) : path
  } catch {
    return path
  }
}
