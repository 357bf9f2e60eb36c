/**
 * Idempotency keys: the same one for every try with the same words in the same place, so that if a request arrived and
 * its answer was lost, that answer comes. A new one once it succeeded, was refused or was given up; what nobody writes
 * says as `seen` what the screen showed, since after that has changed, the same press is something new.
 */
import { Refusal } from "./refusal.ts"

export type Key = { readonly "Idempotency-Key": string }

export const freshKey = (): Key => ({ "Idempotency-Key": crypto.randomUUID() })

const tried = new Map<string, { readonly words: string; readonly header: Key }>()

/** What is written there next is something new, even in the same words. */
export const anew = (place: string): void => void tried.delete(place)

/** Whether the outcome is unknown, so that the same is sent again; a decision of the service is final. */
const isOpen = (error: unknown): boolean => !(error instanceof Refusal) || error.passing || error.atWork || error.signedOut

export const once = async <Input, Answer>(place: string, input: Input, send: (header: Key) => Promise<Answer>): Promise<Answer> => {
  const words = JSON.stringify(input)
  const before = tried.get(place)
  const header = before?.words === words ? before.header : freshKey()
  tried.set(place, { words, header })
  try {
    const answer = await send(header)
    anew(place)
    return answer
  } catch (error) {
    if (!isOpen(error)) anew(place)
    throw error
  }
}
