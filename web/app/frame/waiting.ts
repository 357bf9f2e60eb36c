/** The frame's own shape, which the page brought along and showed before any script: gone once there is more to see, and shown again on demand. */
const brought = document.getElementById("waiting")
const app = document.getElementById("app")

if (brought !== null && app !== null) {
  new MutationObserver((_, observer) => {
    brought.remove()
    observer.disconnect()
  }).observe(app, { childList: true })
}

/** Puts it into an element of ours. */
export const showWaiting = (place: HTMLElement | null): void => {
  if (place !== null && brought !== null) place.replaceChildren(...brought.cloneNode(true).childNodes)
}
