/** Where the API is: here, unless the page says another address in `<meta name="svc-base-url">`. */
const given = document.querySelector<HTMLMetaElement>("meta[name=svc-base-url]")?.content.replace(/\/$/, "") ?? ""

export const baseUrl: string = given === "" ? location.origin : given

export const sameOrigin = new URL(baseUrl).origin === location.origin

/** Leads back, after signing in, to where the reader was. */
export const loginUrl = (next: string): string => `/login?next=${encodeURIComponent(next)}`
