/** The file as pdf.js asks for it, part by part. */
import { PDFDataRangeTransport } from "pdfjs-dist"
import { fetchRange } from "../../ranges.ts"

export class Reading extends PDFDataRangeTransport {
  readonly #src: string
  readonly #failed: (error: unknown) => void
  #over = false

  /** What did not arrive in the end is told once: nothing else of it is asked for. */
  constructor(src: string, bytes: number, failed: (error: unknown) => void) {
    super(bytes, null)
    this.#src = src
    this.#failed = failed
  }

  override requestDataRange(begin: number, end: number): void {
    if (this.#over) return
    fetchRange(this.#src, begin, end).then((part) => this.#over || this.onDataRange(begin, part), (error: unknown) => {
      if (this.#over) return
      this.#over = true
      this.#failed(error)
    })
  }

  override abort(): void {
    this.#over = true
  }
}
