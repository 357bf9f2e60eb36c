/** Fetches a long text, and tells how much of it has arrived. */
import { progressText } from "../../progress.ts"
import { Newer } from "../../ranges.ts"
import { normal } from "./lines.ts"

/** In bytes: more than anybody scrolls through, and about as much as a browser tab can hold. */
export const MOST = 64 * 1024 * 1024

const EVERY_MS = 200

export const fetchText = async (src: string, type: string, total: number, progress: (words: string) => void): Promise<string> => {
  const response = await fetch(src)
  if (response.status === 409) throw new Newer()
  if (!response.ok || response.body === null) throw new Error(String(response.status))
  const decoder = new TextDecoder(/charset="?([^\s;"]+)/i.exec(type)?.[1] ?? "utf-8")
  const parts: Array<string> = []
  const started = performance.now()
  let [bytes, told] = [0, started]
  const reader = response.body.getReader()
  // Safari's streams are not async iterable.
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const chunk = next.value
    parts.push(decoder.decode(chunk, { stream: true }))
    bytes += chunk.length
    if (bytes >= MOST) {
      void reader.cancel()
      return normal(parts.join(""))
    }
    const now = performance.now()
    if (now - told < EVERY_MS) continue
    told = now
    progress(progressText(bytes, total, now - started))
  }
  return normal(parts.join("") + decoder.decode())
}
