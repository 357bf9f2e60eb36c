/** What is told to everybody over a document: why it does not show, and that there is a newer version. */
export const notices = (put: (notice: HTMLElement) => void) => {
  const notice = (text: string): void => put(Object.assign(document.createElement("p"), { className: "notice", role: "alert", textContent: text }))
  const newer = (): void => void import("./newer.ts").then(({ newer }) => newer(), () => notice("A newer version was published. Reload the page to read it."))
  return { newer, notice }
}
