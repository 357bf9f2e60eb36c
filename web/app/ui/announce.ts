/** Announcements to screen readers, all in one live region. */
let region: HTMLElement | null = null

export const announceIn = (element: HTMLElement | null): void => {
  region = element
}

export const announce = (text: string): void => {
  if (region === null) return
  // The same words are announced again only if the text differs.
  region.textContent = region.textContent === text ? `${text}\u00A0` : text
}
