/** What stands in the place of a picture or a film that does not show. */
export const instead = (of: "image" | "video", src: string): HTMLElement => {
  const sheet = Object.assign(document.createElement("p"), { className: "sheet note" })
  sheet.append(Object.assign(document.createElement("a"), { href: `${src}?download`, textContent: `Download the ${of}` }))
  return sheet
}
