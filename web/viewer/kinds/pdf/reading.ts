/** The file as pdf.js asks for it, range by range. */
import { PDFDataRangeTransport } from "pdfjs-dist/legacy/build/pdf.mjs"
import { fetchRange } from "../../ranges.ts"

export class Reading extends PDFDataRangeTransport {
  readonly #src: string
  readonly #failed: (error: unknown) => void
  #over = false

  /** `failed` is called once, when a part did not arrive in the end; nothing is requested after that. */
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
