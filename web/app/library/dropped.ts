/** What was dropped, pasted or picked, as files with their paths: folders are walked. */
import type { Sent } from "../api/upload.ts"

/** A browser lists a folder a hundred at a time. */
const inFolder = async (folder: FileSystemDirectoryEntry): Promise<ReadonlyArray<FileSystemEntry>> => {
  const reader = folder.createReader()
  const entries: Array<FileSystemEntry> = []
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return entries
    entries.push(...some)
  }
}

const walked = async (entry: FileSystemEntry): Promise<ReadonlyArray<Sent>> => {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return file.name === ".DS_Store" ? [] : [{ file, path: entry.fullPath.replace(/^\//, "") }]
  }
  return (await Promise.all((await inFolder(entry as FileSystemDirectoryEntry)).map(walked))).flat()
}

/** Entries have to be asked for before anything is awaited: the transfer is empty afterwards. */
export const filesIn = async (transfer: DataTransfer): Promise<ReadonlyArray<Sent>> => {
  const items = [...transfer.items].filter(({ kind }) => kind === "file")
  const entries = items.map((item) => item.webkitGetAsEntry?.() ?? null)
  const loose = [...transfer.files]
  if (entries.length > 0 && entries.every((entry) => entry !== null)) return (await Promise.all(entries.map(walked))).flat()
  return loose.map((file) => ({ file, path: file.name }))
}

/** A text from the clipboard is a document too. */
export const textAsFile = (text: string): Sent => {
  const html = /^\s*<(?:!doctype|html)/i.test(text)
  const name = html ? "pasted.html" : "pasted.md"
  return { file: new File([text], name, { type: html ? "text/html" : "text/markdown" }), path: name }
}

export const picked = (list: FileList): ReadonlyArray<Sent> => [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
