/**
 * What the page had asked for before any of this ran (`http/server/app-routes.ts` says what): whoever asks for the same
 * first takes that answer. No workspace is named there, which means the first one.
 */
const asked = new Set([...document.querySelectorAll("link[rel=preload][as=fetch]")].map((link) => link.getAttribute("href")))

/** True once. */
export const takeAhead = (path: string): boolean => asked.delete(path)
