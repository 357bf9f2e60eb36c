/** What every mail is made of, and its plain text; its HTML is put on paper beside it. */
import { plainName } from "./names.ts"

export interface Letter {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Where one click, by a person or their mail client, ends letters like this one (RFC 8058). */
  readonly unsubscribe?: string
}

export interface Contents {
  readonly subject: string
  /** As its owner typed it. */
  readonly name: string
  readonly sentence: string
  /** Others' words, made plain already; `caption` says whose and about what. */
  readonly quotes?: ReadonlyArray<{ readonly caption: string; readonly text: string }>
  readonly button: { readonly label: string; readonly href: string }
  /** What holds for the button's link. */
  readonly terms: string
  /** A second way, said quietly. */
  readonly also?: { readonly sentence: string; readonly href: string }
  readonly why: string
  readonly unsubscribe?: string
}

/** Written rather than made from the HTML: the button's label stands over its address, and each address stands once. */
const plainText = ({ also, button, quotes = [], sentence, terms, why }: Contents, greeting: string): string =>
  [
    greeting,
    sentence,
    ...quotes.map(({ caption, text }) => `${caption}:\n> ${text}`),
    `${button.label}:\n${button.href}`,
    terms,
    ...(also === undefined ? [] : [`${also.sentence}\n${also.href}`]),
    why
  ].join("\n\n") + "\n"

/** React is loaded with the first mail, so that starting waits for none of it. */
export const letter = async (contents: Contents): Promise<Letter> => {
  const { onPaper } = await import("./paper.ts")
  const known = plainName(contents.name)
  const greeting = known === null ? "Hello," : `Hello ${known},`
  const { subject, unsubscribe } = contents
  return { subject, html: await onPaper(contents, greeting), text: plainText(contents, greeting), ...(unsubscribe && { unsubscribe }) }
}
