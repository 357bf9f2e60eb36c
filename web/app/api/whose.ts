/**
 * Whose screen this is: all tabs of a browser share one session, and another tab may have changed whose that is. Every change says
 * for whom the screen was drawn, and the service refuses it where somebody else is signed in by now.
 */
import type { Refusal } from "./refusal.ts"

let drawn: string | undefined

/** The account that the screen shows from now on. */
export const drawnFor = (user: string): void => void (drawn = user)

/** Taken when a change is made, and sent with every try of it. */
export const asDrawn = (): Readonly<Record<string, string>> => drawn === undefined ? {} : { "X-Account-Id": drawn }

let found = async (refusal: Refusal): Promise<Refusal> => refusal

/** `turn` turns the screen to whoever is signed in, and answers what to say about what was refused. */
export const whenAnother = (turn: typeof found): void => void (found = turn)

/** The screen is turned before whoever asked hears of the refusal. */
export const heard = async (refusal: Refusal): Promise<Refusal> => refusal.details["reason"] === "another_account" ? found(refusal) : refusal
