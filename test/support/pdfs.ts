/** PDFs for tests, written by hand: pages of text, outlines, links, script, a form, encryption, padding. */
import { createHash } from "node:crypto"

export interface PdfPage {
  readonly lines: ReadonlyArray<string>
  /** Lies over the first line. */
  readonly link?: { readonly uri: string } | { readonly page: number } | { readonly script: string }
  /** Annotations as PDF writes them. */
  readonly notes?: ReadonlyArray<string>
}

export interface PdfOptions {
  readonly outline?: ReadonlyArray<readonly [title: string, page: number]>
  /** Runs when the document opens, if the reader allows it. */
  readonly openScript?: string
  /** A text field with this value on the first page, with script of its own. */
  readonly field?: string
  /** Encrypts it: RC4 with 40 bits, as PDF 1.1 defines it. */
  readonly password?: string
  /** A file attached to the whole document. */
  readonly attached?: readonly [name: string, content: string]
  /** Bytes that no page needs, in the middle of the file. */
  readonly filler?: number
}

const PAD = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex")
const ID = Buffer.alloc(16, 7)
const PERMISSIONS = -4

const md5 = (...parts: ReadonlyArray<Uint8Array>): Buffer => createHash("md5").update(Buffer.concat(parts)).digest()

const rc4 = (key: Uint8Array, data: Uint8Array): Buffer => {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
  }
  let [i, j] = [0, 0]
  return Buffer.from(data.map((byte) => {
    i = (i + 1) & 255
    j = (j + state[i]!) & 255
    ;[state[i], state[j]] = [state[j]!, state[i]!]
    return byte ^ state[(state[i]! + state[j]!) & 255]!
  }))
}

/** Algorithms 3.2 to 3.4 of the PDF reference. */
const lockOf = (password: string) => {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), PAD]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const permissions = Buffer.alloc(4)
  permissions.writeInt32LE(PERMISSIONS)
  const key = md5(padded, owner, permissions, ID).subarray(0, 5)
  return { owner, user: rc4(key, PAD), key }
}

const escaped = (text: string): string => text.replace(/[\\()]/g, "\\$&")

export const pdfOf = (pages: ReadonlyArray<PdfPage>, { attached, field, filler = 0, openScript, outline = [], password }: PdfOptions = {}): Buffer => {
  const lock = password === undefined ? undefined : lockOf(password)
  const bodies: Array<Buffer> = []
  const sealed = (data: Buffer, id: number): Buffer =>
    lock === undefined ? data : rc4(md5(lock.key, Buffer.from([id & 255, id >> 8 & 255, id >> 16, 0, 0])).subarray(0, 10), data)
  const text = (value: string, id: number): string => `<${sealed(Buffer.from(value, "latin1"), id).toString("hex")}>`
  const put = (id: number, body: string, data?: Buffer): void => {
    bodies[id] = data === undefined ? Buffer.from(body, "latin1") : Buffer.concat([Buffer.from(`${body}\nstream\n`), sealed(data, id), Buffer.from("\nendstream")])
  }

  const [catalog, tree, font, items, form, lockId, weight] = [1, 2, 3, 4, 5, 6, 7]
  const pageId = (page: number): number => 8 + (page - 1) * 3
  const attachedId = pageId(pages.length + 1) + outline.length
  const outlineId = (index: number): number => pageId(pages.length + 1) + index

  put(catalog, `<< /Type /Catalog /Pages ${tree} 0 R${outline.length > 0 ? ` /Outlines ${items} 0 R` : ""}${
    openScript === undefined ? "" : ` /OpenAction << /S /JavaScript /JS ${text(openScript, catalog)} >>`
  }${field === undefined ? "" : ` /AcroForm << /Fields [${form} 0 R] /NeedAppearances true /DA ${text("/F 12 Tf 0 g", catalog)} /DR << /Font << /F ${font} 0 R >> >> >>`}${attached === undefined ? "" : ` /Names << /EmbeddedFiles << /Names [${text("1", catalog)} ${attachedId} 0 R] >> >>`} >>`)
  put(tree, `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${pageId(index + 1)} 0 R`).join(" ")}] >>`)
  put(font, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
  put(items, outline.length === 0 ? "<< >>" : `<< /Type /Outlines /First ${outlineId(0)} 0 R /Last ${outlineId(outline.length - 1)} 0 R /Count ${outline.length} >>`)
  put(form, field === undefined ? "<< >>" : `<< /Type /Annot /Subtype /Widget /FT /Tx /T ${text("name", form)} /V ${text(field, form)} /Rect [72 300 300 324] /F 4 /DA ${
    text("/F 12 Tf 0 g", form)} /AA << /K << /S /JavaScript /JS ${text("app.alert(1)", form)} >> >> >>`)
  put(lockId, lock === undefined ? "<< >>" : `<< /Filter /Standard /V 1 /R 2 /P ${PERMISSIONS} /O <${lock.owner.toString("hex")}> /U <${lock.user.toString("hex")}> >>`)
  put(weight, `<< /Length ${filler} >>`, Buffer.alloc(filler, 1))
  pages.forEach(({ lines, link, notes = [] }, index) => {
    const id = pageId(index + 1)
    const drawn = Buffer.from(`BT /F 18 Tf 24 TL 72 700 Td ${lines.map((line) => `(${escaped(line)}) Tj T*`).join(" ")} ET`, "latin1")
    const action = link === undefined
      ? ""
      : "page" in link
      ? `/Dest [${pageId(link.page)} 0 R /XYZ 0 800 null]`
      : "uri" in link
      ? `/A << /S /URI /URI ${text(link.uri, id + 2)} >>`
      : `/A << /S /JavaScript /JS ${text(link.script, id + 2)} >>`
    const annotations = [...(link === undefined ? [] : [id + 2]), ...(index === 0 && field !== undefined ? [form] : [])]
    put(id, `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${id + 1} 0 R /Resources << /Font << /F ${font} 0 R >> >> /Annots [${
      [...annotations.map((one) => `${one} 0 R`), ...notes].join(" ")}] >>`)
    put(id + 1, `<< /Length ${drawn.length} >>`, drawn)
    put(id + 2, link === undefined ? "<< >>" : `<< /Type /Annot /Subtype /Link /Rect [72 690 500 720] /Border [0 0 0] ${action} >>`)
  })
  outline.forEach(([title, page], index) => {
    const id = outlineId(index)
    put(id, `<< /Title ${text(title, id)} /Parent ${items} 0 R /Dest [${pageId(page)} 0 R /XYZ 0 800 null]${index > 0 ? ` /Prev ${id - 1} 0 R` : ""}${
      index + 1 < outline.length ? ` /Next ${id + 1} 0 R` : ""} >>`)
  })

  if (attached !== undefined) {
    const [name, content] = attached
    put(attachedId, `<< /Type /Filespec /F ${text(name, attachedId)} /EF << /F ${attachedId + 1} 0 R >> >>`)
    put(attachedId + 1, `<< /Type /EmbeddedFile /Length ${content.length} >>`, Buffer.from(content, "latin1"))
  }

  const parts = [Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1")]
  let at = parts[0]!.length
  const places: Array<number> = []
  for (let id = 1; id < bodies.length; id++) {
    const part = Buffer.concat([Buffer.from(`${id} 0 obj\n`), bodies[id]!, Buffer.from("\nendobj\n")])
    places.push(at)
    parts.push(part)
    at += part.length
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  parts.push(Buffer.from(`xref\n0 ${bodies.length}\n0000000000 65535 f \n${table}trailer\n<< /Size ${bodies.length} /Root ${catalog} 0 R /ID [<${ID.toString("hex")}> <${
    ID.toString("hex")}>]${lock === undefined ? "" : ` /Encrypt ${lockId} 0 R`} >>\nstartxref\n${at}\n%%EOF\n`))
  return Buffer.concat(parts)
}
