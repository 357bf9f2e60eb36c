/** Copies, and says so. Resolves with whether the browser allowed it. */
export const clip = async (say: (text: string) => void, text: string, words: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    say("The browser did not allow that.")
    return false
  }
  say(words)
  return true
}
