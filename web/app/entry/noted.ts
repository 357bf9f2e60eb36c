/** What somebody did a moment ago in this tab: the address that they typed, so that they need not type it again on the next page, and the account that they deleted. */
import { keep, kept } from "../ui/kept.ts"

const [NOTED, DELETED] = ["svc-email", "svc-deleted"]

export const noteEmail = (email: string): void => keep(NOTED, email)

export const notedEmail = (): string => kept(NOTED) ?? ""

/** When the account is erased that was deleted here. */
export const noteDeleted = (eraseOn: string): void => keep(DELETED, eraseOn)

export const notedDeleted = (): string | null => kept(DELETED)

export const forgetNoted = (): void => {
  keep(NOTED, null)
  keep(DELETED, null)
}
