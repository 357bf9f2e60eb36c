/**
 * The key under which something is made once: the same for every try at the same words in the same place, so that where
 * the first one arrived and its answer did not, that answer comes. A new one once it is made, refused or given up.
 */
import { Refusal } from "./refusal.ts"

const tried = new Map<string, { readonly words: string; readonly key: string }>()

/** What is written there next is another thing, whatever its words. */
export const anew = (place: string): void => void tried.delete(place)

/** What the service decided is decided; where nobody knows what became of it, the same is asked for again. */
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
