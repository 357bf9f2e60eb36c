/**
 * The frame's own shape, which the page's HTML brought and showed before any script ran: removed once there is more to
 * see, and shown again on demand.
 */
const brought = document.getElementById("waiting")
const app = document.getElementById("app")

if (brought !== null && app !== null) {
  new MutationObserver((_, observer) => {
    brought.remove()
    observer.disconnect()
  }).observe(app, { childList: true })
}

/** Puts a copy of it into the given element. */
export const showWaiting = (place: HTMLElement | null): void => {
  if (place !== null && brought !== null) place.replaceChildren(...brought.cloneNode(true).childNodes)
}
