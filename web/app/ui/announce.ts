/** Words for those who hear the page: said in one live region, whoever speaks. */
let region: HTMLElement | null = null

export const announceIn = (element: HTMLElement | null): void => {
  region = element
}

export const announce = (text: string): void => {
  if (region === null) return
  // The same words twice are heard twice.
  region.textContent = region.textContent === text ? `${text}\u00A0` : text
}
