/** Names of hosts without what addresses put around them. */

/** In lower case, without its port. */
export const hostOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, "")

/** An IPv6 address without its brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, "")

/** localhost and every name below it, which browsers resolve to the machine itself. */
export const isLocalhost = (hostname: string): boolean => hostname === "localhost" || hostname.endsWith(".localhost")
