/** The first page of a PDF, by PDFium as WebAssembly. */
import { PDFiumLibrary } from "@hyzyla/pdfium"
import type { Drawing } from "../../domain/ports/thumbnailer.ts"
import { drawPixels, LONGEST } from "./images.ts"

const library = await PDFiumLibrary.init()

const pixels = (points: number): number => Math.max(1, Math.round(points))

export const drawFirstPage = async (bytes: Uint8Array): Promise<Drawing> => {
  const document = await library.loadDocument(bytes)
  try {
    const page = document.getPage(0)
    const { originalHeight, originalWidth } = page.getOriginalSize()
    const scale = LONGEST / Math.max(originalWidth, originalHeight)
    const drawn = await page.render({ width: pixels(originalWidth * scale), height: pixels(originalHeight * scale), renderFormFields: true })
    return drawPixels(drawn.data, drawn.width, drawn.height)
  } finally {
    document.destroy()
  }
}
