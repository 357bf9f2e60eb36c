/** One cookie's value in a `Cookie` header. Blanks are spaces and tabs alone: to browsers, any other sign before a name belongs to it. */

/** Reads the cookie of that name, if its value has that form, a pattern; undefined for most requests, which carry none. */
export const cookieValue = (name: string, form: string) => {
  const carried = new RegExp(`(?:^|;)[ \\t]*${name}=(${form})[ \\t]*(?:;|$)`)
  return (cookies: string | undefined): string | undefined => cookies === undefined ? undefined : carried.exec(cookies)?.[1]
}
