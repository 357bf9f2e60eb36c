/** The progress of a large download, in words. */
import { sizeText } from "../../src/http/contract/sizes.ts"

/** Includes the time left once it can be estimated. */
export const progressText = (bytes: number, total: number, ms: number): string => {
  const seconds = Math.ceil((total - bytes) / Math.max(1, bytes) * ms / 1000)
  const left = ms < 2000 || seconds < 2 ? "" : seconds < 90 ? `, about ${seconds} seconds left` : `, about ${Math.round(seconds / 60)} minutes left`
  return bytes >= total ? "Almost there" : `Loading: ${sizeText(bytes)} of ${sizeText(total)}${left}`
}
