/**
 * What the page had requested before any script ran (`http/server/app-routes.ts` says what): the first caller that asks
 * for the same takes that answer. No workspace is named there, which means the first one.
 */
const asked = new Set([...document.querySelectorAll("link[rel=preload][as=fetch]")].map((link) => link.getAttribute("href")))

/** True only the first time. */
export const takeAhead = (path: string): boolean => asked.delete(path)
