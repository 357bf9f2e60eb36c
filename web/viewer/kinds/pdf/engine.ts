/** pdf.js as this viewer uses it: nothing in a document runs, and everything it needs is served beside this script. */
// Must come before the viewer's parts, which look for the library on the window.
import { AnnotationEditorType, AnnotationMode, getDocument, GlobalWorkerOptions, TouchManager, version } from "pdfjs-dist/legacy/build/pdf.mjs"
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist"
import { DownloadManager, EventBus, LinkTarget, PDFFindController, PDFLinkService, PDFViewer } from "pdfjs-dist/legacy/web/pdf_viewer.mjs"
import type { Facts } from "../../stage.ts"
import { Reading } from "./reading.ts"

/** web/vite.config.ts puts them there. */
const parts = import.meta.url.replace(/[^/]*$/, `pdfjs-${version}/`)
GlobalWorkerOptions.workerSrc = `${parts}pdf.worker.min.js`

/** Longer files are fetched only where they are read. */
const WHOLE = 8_000_000
const RANGE = 128 * 1024
/** One page on the sharpest screen; a larger one is drawn again in the part that is looked at. */
const MOST_PIXELS = 2 ** 24

/** `failed` is called when a part did not arrive, now or while reading. */
export const load = ({ bytes, pinned }: Pick<Facts, "bytes" | "pinned">, failed: (error: unknown) => void): PDFDocumentLoadingTask =>
  getDocument({
    range: new Reading(pinned, bytes, failed),
    rangeChunkSize: RANGE,
    disableStream: true,
    disableAutoFetch: bytes > WHOLE,
    cMapUrl: parts,
    iccUrl: parts,
    standardFontDataUrl: parts,
    wasmUrl: parts,
    useWorkerFetch: true,
    enableXfa: false,
    disableWorkerRendering: true,
    verbosity: 0
  })

/** As in pdf.js, except that the reader's zoom stays, and so does the focus, which pdf.js takes when it draws a page again. */
class Links extends PDFLinkService {
  override async goToDestination(dest: string | ReadonlyArray<unknown>): Promise<void> {
    const pdf: PDFDocumentProxy = this.pdfDocument
    const place: ReadonlyArray<unknown> | null = typeof dest === "string" ? await pdf.getDestination(dest).catch(() => null) : dest
    if (!Array.isArray(place)) return
    const page = typeof place[0] === "number" ? place[0] + 1 : await pdf.getPageIndex(place[0]).then((index) => index + 1, () => 0)
    if (page >= 1 && page <= pdf.numPages) {
      this.pdfViewer.scrollPageIntoView({ pageNumber: page, destArray: typeof place[1]?.name === "string" ? place : null, ignoreDestinationZoom: true })
    }
  }
}

/** An attached file is downloaded: of PDFs, pdf.js opens an address of its own. */
class Downloads extends DownloadManager {
  override openOrDownloadData(data: Uint8Array, filename: string): boolean {
    this.downloadData(data, filename, "application/octet-stream")
    return false
  }
}

export interface Engine {
  readonly pdf: PDFDocumentProxy
  readonly events: EventBus
  readonly viewer: PDFViewer
  readonly links: PDFLinkService
  readonly downloads: DownloadManager
}

/** `container` scrolls; its first child holds the pages. */
export const engine = (pdf: PDFDocumentProxy, container: HTMLDivElement, edges: boolean): Engine => {
  const events = new EventBus()
  const links = new Links({ eventBus: events, externalLinkTarget: LinkTarget.BLANK, externalLinkRel: "noopener noreferrer nofollow" })
  const downloads = new Downloads()
  const viewer = new PDFViewer({
    container,
    eventBus: events,
    linkService: links,
    downloadManager: downloads,
    findController: new PDFFindController({ eventBus: events, linkService: links, delay: 120 }),
    // Forms show as filled in and cannot be edited: what is typed could go nowhere.
    annotationMode: AnnotationMode.ENABLE,
    annotationEditorMode: AnnotationEditorType.DISABLE,
    imageResourcesPath: parts,
    maxCanvasPixels: MOST_PIXELS,
    enableSelectionRendering: false,
    removePageBorders: !edges
  })
  links.setViewer(viewer)
  viewer.setDocument(pdf)
  links.setDocument(pdf, null)
  return { pdf, events, viewer, links, downloads }
}

const QUIET_MS = 300

/** Zooms with Ctrl and the wheel, or two fingers, about the place pointed at. Returns how to stop watching the fingers. */
export const watchZoom = (container: HTMLElement, viewer: PDFViewer): () => void => {
  const by = (scaleFactor: number, origin: ReadonlyArray<number>): void =>
    viewer.updateScale({ drawingDelay: QUIET_MS, scaleFactor, origin: [...origin] })
  // pdf.js keeps a scale in hundredths: smaller changes accumulate here.
  let rest = 1
  const little = (factor: number, origin: ReadonlyArray<number>): void => {
    rest *= factor
    const before = viewer.currentScale
    const whole = Math.round(before * rest * 100) / 100
    if (whole === before) return
    rest = 1
    by(whole / before, origin)
  }
  container.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const pixels = event.deltaY * [1, 16, 400][event.deltaMode]!
    little(Math.exp(-Math.max(-60, Math.min(60, pixels)) * 0.004), [event.clientX, event.clientY])
  }, { passive: false })
  const touch = new TouchManager({
    container,
    onPinching: (origin: ReadonlyArray<number>, before: number, now: number) => void (before > 0 && little(now / before, origin)),
    signal: new AbortController().signal
  })
  return () => touch.destroy()
}
