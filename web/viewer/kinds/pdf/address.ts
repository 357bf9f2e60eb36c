/** `#page=12` in the address: leads to the page, and follows the reader. */
import type { Engine } from "./engine.ts"

/** Browsers limit how many times a minute the address may change. */
const QUIET_MS = 250

const linked = (): number => Number(/(?:^#|&)page=(\d{1,6})(?:&|$)/.exec(location.hash)?.[1] ?? 0)

/** A named destination of the document. */
const named = (): string | undefined => {
  try {
    return decodeURIComponent(/(?:^#|&)nameddest=([^&]+)/.exec(location.hash)?.[1] ?? "") || undefined
  } catch {
    return undefined
  }
}

/** Call once the pages are there. */
export const followAddress = ({ events, links, pdf, viewer }: Engine): void => {
  const follow = async (): Promise<void> => {
    const name = named()
    const page = linked()
    if (page >= 1) viewer.currentPageNumber = Math.min(page, viewer.pagesCount)
    else if (name !== undefined && await pdf.getDestination(name).catch(() => null) !== null) await links.goToDestination(name)
  }
  let waiting: ReturnType<typeof setTimeout> | undefined
  events.on("pagechanging", () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => {
      if (viewer.currentPageNumber !== (linked() || 1)) history.replaceState(history.state, "", `#page=${viewer.currentPageNumber}`)
    }, QUIET_MS)
  })
  addEventListener("hashchange", () => void follow())
  void follow()
}
