/** Names below `localhost`, where the service runs until it is given an address: browsers resolve them, few other programs do. */
import { isLocalhost } from "../../domain/host-names.ts"

export const isLocal = (baseUrl: string): boolean => isLocalhost(new URL(baseUrl).hostname)

/** curl keeps `Secure` cookies over plain http for `localhost` alone, not for the names below it. */
export const sessionUrl = (baseUrl: string): string => baseUrl.replace(/^(http:\/\/)[^/:]+\.localhost/, "$1localhost")
