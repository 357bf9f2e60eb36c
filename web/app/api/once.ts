/**
 * Idempotency keys: the same one for every try with the same words in the same place, so that if a request arrived and
 * its answer was lost, that answer comes. A new one once it succeeded, was refused or was given up.
 */
import { Refusal } from "./refusal.ts"

const tried = new Map<string, { readonly words: string; readonly key: string }>()

/** What is written there next is something new, even in the same words. */
export const anew = (place: string): void => void tried.delete(place)

/** Whether the outcome is unknown, so that the same is sent again; a decision of the service is final. */
const isOpen = (error: unknown): boolean => !(error instanceof Refusal) || error.passing || error.atWork || error.signedOut

export const once = async <Answer>(place: string, body: object, send: (headers: { readonly "Idempotency-Key": string }) => Promise<Answer>): Promise<Answer> => {
  const words = JSON.stringify(body)
  const before = tried.get(place)
  const key = before?.words === words ? before.key : crypto.randomUUID()
  tried.set(place, { words, key })
  try {
    const answer = await send({ "Idempotency-Key": key })
    anew(place)
    return answer
  } catch (error) {
    if (!isOpen(error)) anew(place)
    throw error
  }
}
