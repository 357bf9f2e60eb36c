/** PDFs beside each other, page by page: the first beside the first. A page is drawn when it comes near. */
import type { PDFDocumentProxy } from "pdfjs-dist"
import { load } from "../kinds/pdf/engine.ts"

/** Further pages are looked at in the document itself. */
const MOST = 200
const SHARPEST = 2
/** Drawn at least this wide, so that it is sharp enough if the window is widened. */
const NARROWEST = 720

const draw = async (pdf: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): Promise<void> => {
  const page = await pdf.getPage(number)
  const bare = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: Math.max(canvas.clientWidth, NARROWEST) / bare.width * Math.min(devicePixelRatio, SHARPEST) })
  canvas.width = Math.floor(viewport.width)
  canvas.height = Math.floor(viewport.height)
  canvas.style.aspectRatio = `${bare.width} / ${bare.height}`
  await page.render({ canvas, viewport }).promise
  canvas.dataset["drawn"] = ""
  page.cleanup()
}

const sheet = (words: string, number: number): HTMLCanvasElement => {
  const canvas = Object.assign(document.createElement("canvas"), { className: "page" })
  canvas.setAttribute("role", "img")
  canvas.setAttribute("aria-label", `Page ${number} of ${words}`)
  return canvas
}

/** The rows of pages take the documents' place, below their names; on a narrow screen, the pages of the two alternate. */
export const show = async (holders: ReadonlyArray<HTMLElement>): Promise<void> => {
  const documents = await Promise.all(holders.map(async (holder) => {
    const { bytes, src, words } = holder.dataset
    // `src` names this version alone, whatever is published.
    const lost = Promise.withResolvers<never>()
    return { pdf: await Promise.race([load({ bytes: Number(bytes), pinned: src! }, lost.reject).promise, lost.promise]), words: words! }
  }))
  const waiting = new Map<Element, () => Promise<void>>()
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue
      near.unobserve(target)
      void waiting.get(target)?.().catch(() => undefined)
    }
  }, { rootMargin: "600px" })
  const count = Math.min(MOST, Math.max(...documents.map(({ pdf }) => pdf.numPages)))
  const rows = Array.from({ length: count }, (_, index) => {
    const row = Object.assign(document.createElement("div"), { className: "beside pages" })
    for (const { pdf, words } of documents) {
      const cell = document.createElement("figure")
      const has = index < pdf.numPages
      const caption = Object.assign(document.createElement("figcaption"), { textContent: `${words.replace(/^v/, "V")}, ${has ? `page ${index + 1} of ${pdf.numPages}` : `no page ${index + 1}`}` })
      cell.append(caption)
      if (has) {
        const canvas = sheet(words, index + 1)
        cell.append(canvas)
        waiting.set(canvas, () => draw(pdf, index + 1, canvas))
        near.observe(canvas)
      }
      row.append(cell)
    }
    return row
  })
  // A document that cannot be drawn beside the other keeps its link.
  if (documents.length < 2) holders[0]!.replaceChildren(...rows)
  else holders[0]!.closest(".documents")!.replaceWith(...rows)
}
