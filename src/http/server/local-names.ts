/** Names below `localhost`, where the service runs until it is given an address: browsers resolve them, few other programs do. */

export const isLocal = (baseUrl: string): boolean => new URL(baseUrl).hostname.endsWith("localhost")

/** curl keeps `Secure` cookies over plain http for `localhost` alone, not for the names below it. */
export const sessionUrl = (baseUrl: string): string => baseUrl.replace(/^(http:\/\/)[^/:]+\.localhost/, "$1localhost")
