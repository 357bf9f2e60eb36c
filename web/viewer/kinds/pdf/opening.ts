/** Opens the document at an address: asks for the password it may need, and says why it does not open. */
import { InvalidPDFException, PasswordResponses } from "pdfjs-dist/legacy/build/pdf.mjs"
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from "pdfjs-dist"

const ASKS = "Whoever sent it to you knows the password. It stays in this browser."
const WRONG = "That was not its password. Try again."

const asking = (stage: HTMLElement) => {
  const form = Object.assign(document.createElement("form"), { className: "sheet unlock" })
  const title = Object.assign(document.createElement("h2"), { textContent: "This PDF is locked" })
  const words = Object.assign(document.createElement("p"), { id: "unlock-words" })
  const label = Object.assign(document.createElement("label"), { textContent: "Password", htmlFor: "unlock" })
  const field = Object.assign(document.createElement("input"), { type: "password", id: "unlock", required: true, autocomplete: "off" })
  field.setAttribute("aria-describedby", words.id)
  const button = Object.assign(document.createElement("button"), { className: "filled", textContent: "Open" })
  form.append(title, words, label, field, button)
  let unlock: (password: string) => void = () => {}
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    button.disabled = true
    unlock(field.value)
  })
  return {
    ask: (text: string, answer: (password: string) => void): void => {
      words.textContent = text
      unlock = answer
      button.disabled = false
      if (!form.isConnected) stage.append(form)
      field.focus()
      field.select()
    },
    done: (): void => form.remove()
  }
}

/** Where only a password is missing, asks until it fits. */
export const opened = async (task: PDFDocumentLoadingTask, stage: HTMLElement, bare: HTMLElement | null, say: (text: string) => void): Promise<PDFDocumentProxy> => {
  const { ask, done } = asking(stage)
  task.onPassword = (answer: (password: string) => void, reason: number) => {
    if (bare !== null) bare.hidden = true
    const text = reason === PasswordResponses.INCORRECT_PASSWORD ? WRONG : ASKS
    ask(text, answer)
    say(text)
  }
  try {
    return await task.promise
  } finally {
    done()
    say("")
    if (bare !== null) bare.hidden = false
  }
}

/** A part of the file did not arrive, after every retry. */
export class NotArrived extends Error {}

export const whyNot = (error: unknown): string =>
  error instanceof InvalidPDFException
    ? "This file is damaged: it does not read as a PDF. Another program may still open it."
    : error instanceof NotArrived
    ? "The PDF did not arrive. Reload the page to try again."
    : "This PDF cannot be shown here. Another program may open it."
