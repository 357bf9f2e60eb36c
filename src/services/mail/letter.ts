/** What every mail consists of, and its plain text; paper.ts makes the HTML. */
import { isolated } from "../../domain/labels/model.ts"
import { plainName } from "./names.ts"

export interface Letter {
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Where one click, by a person or their mail client, unsubscribes from mails like this one (RFC 8058). */
  readonly unsubscribe?: string
}

export interface Contents {
  readonly subject: string
  /** The recipient's name as they typed it. */
  readonly name: string
  readonly sentence: string
  /** Other people's words, already made plain; `caption` says who wrote them and about what. */
  readonly quotes?: ReadonlyArray<{ readonly caption: string; readonly text: string }>
  /** How many more there are than quotes. */
  readonly more?: string
  /** Absent where the reader has nothing to open. */
  readonly button?: { readonly label: string; readonly href: string }
  /** What applies to the button's link, or what the reader can do instead. */
  readonly terms: string
  /** A second link, less prominent. */
  readonly also?: { readonly sentence: string; readonly href: string }
  readonly why: string
  readonly unsubscribe?: string
}

/** A sentence that ends with a name which ends it by itself: Acme Inc., or one that was cut short. */
const endedOnce = (sentence: string): string => sentence.replace(/(?<=[.!?…]\u2069?)\.$/, "")

/** Written rather than derived from the HTML: a button's label stands above its address, and each address occurs once. */
const plainText = ({ also, button, more, quotes = [], sentence, terms, why }: Contents, greeting: string): string =>
  [
    greeting,
    sentence,
    ...quotes.map(({ caption, text }) => `${caption}:\n> ${isolated(text)}`),
    ...(more === undefined ? [] : [more]),
    ...(button === undefined ? [] : [`${button.label}:\n${button.href}`]),
    terms,
    ...(also === undefined ? [] : [`${also.sentence}\n${also.href}`]),
    why
  ].join("\n\n") + "\n"

/** React and its renderer are loaded with the first mail, so that the start does not wait for them. */
export const letter = async (given: Contents): Promise<Letter> => {
  const contents = { ...given, sentence: endedOnce(given.sentence) }
  const { onPaper } = await import("./paper.ts")
  const known = plainName(contents.name)
  const greeting = known === null ? "Hello," : `Hello ${known},`
  const { subject, unsubscribe } = contents
  return { subject, html: await onPaper(contents, greeting), text: plainText(contents, greeting), ...(unsubscribe && { unsubscribe }) }
}
