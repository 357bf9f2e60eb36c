/** Text still to come is promised to the clipboard at once: Safari lets nothing be copied later than the reader's gesture. */
const write = (text: string | Promise<string>): Promise<void> =>
  typeof text === "string"
    ? navigator.clipboard.writeText(text)
    : navigator.clipboard.write([new ClipboardItem({ "text/plain": text.then((all) => new Blob([all], { type: "text/plain" })) })])

/** Copies, and says so; where that is refused, it tells why and what to do. Resolves with whether it was copied. */
export const clip = async (say: (text: string) => void, text: string | Promise<string>, words: string, tell = say): Promise<boolean> => {
  try {
    await write(text)
  } catch {
    tell(await Promise.resolve(text).then(() => "This browser does not let us copy. Select it and copy it by hand.", ({ message }: Error) => message))
    return false
  }
  say(words)
  return true
}

/** A text that does not come, in words for the reader. */
export const refuse = (words: string) => (): never => {
  throw new Error(words)
}
