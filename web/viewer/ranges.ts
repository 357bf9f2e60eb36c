/** Fetches a file a range at a time; every range comes from the version that the page was made for, or fetching fails. */

const TRIES = 3

/** Another version has been published: its bytes do not match those already fetched. */
export class Newer extends Error {}

const NEWER = 409

/** `end` is exclusive. Failed requests are retried. */
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

/** For media that the browser fetches itself without saying why it failed: whether the bytes can be had. */
export const lookFor = (src: string): Promise<"there" | "newer" | "away"> =>
  fetch(src, { method: "HEAD" }).then(({ ok, status }) => ok ? "there" : status === NEWER ? "newer" : "away", () => "away")
