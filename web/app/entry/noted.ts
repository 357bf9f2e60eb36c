/** The address that somebody typed a moment ago in this tab, so that they need not type it again on the next page. */
import { keep, kept } from "../ui/kept.ts"

const NOTED = "svc-email"

export const noteEmail = (email: string): void => keep(NOTED, email)

export const notedEmail = (): string => kept(NOTED) ?? ""

export const forgetEmail = (): void => keep(NOTED, null)
