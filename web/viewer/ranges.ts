/** A file on its way here, a range at a time: all of the version that the page was made for, or none of it. */

const TRIES = 3

/** Another version is published by now: its bytes would not go with those that are here. */
export class Newer extends Error {}

const NEWER = 409

/** `end` is the first byte that is not wanted. What does not arrive is asked for again. */
export const fetchRange = async (src: string, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> => {
  for (let tries = 1;; tries++) {
    try {
      const response = await fetch(src, { headers: { range: `bytes=${start}-${end - 1}` } })
      if (response.status === NEWER) throw new Newer()
      if (response.status !== 206 && !(response.status === 200 && start === 0)) throw new Error(String(response.status))
      return new Uint8Array(await response.arrayBuffer())
    } catch (error) {
      if (tries === TRIES || error instanceof Newer) throw error
      await new Promise((resolve) => setTimeout(resolve, 400 * tries))
    }
  }
}

/** For what the browser itself fetches, and does not say why it failed: whether its bytes come. */
export const lookFor = (src: string): Promise<"there" | "newer" | "away"> =>
  fetch(src, { method: "HEAD" }).then(({ ok, status }) => ok ? "there" : status === NEWER ? "newer" : "away", () => "away")
