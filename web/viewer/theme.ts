/** The reader's theme: the system's until they choose, remembered on this host. */
import { iconText } from "../../src/look/icons.ts"

const THEMES = ["system", "light", "dark"] as const
type Theme = (typeof THEMES)[number]

const WORDS: Readonly<Record<Theme, string>> = { system: "as your system", light: "light", dark: "dark" }

const now = (): Theme => THEMES.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system"

const keep = (theme: Theme): void => {
  try {
    if (theme === "system") localStorage.removeItem("svc-theme")
    else localStorage.setItem("svc-theme", theme)
  } catch {
    // Not remembered, but shown.
  }
}

/** Returns a function that switches to the next theme. */
export const themes = (button: HTMLElement, say: (text: string) => void): () => void => {
  const show = (): void => {
    const words = `Theme: ${WORDS[now()]}`
    button.innerHTML = iconText(now())
    button.title = `${words} (t)`
    button.setAttribute("aria-label", words)
  }
  show()
  button.hidden = false
  return () => {
    const next = THEMES[(THEMES.indexOf(now()) + 1) % THEMES.length]!
    if (next === "system") delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = next
    keep(next)
    show()
    say(`Theme: ${WORDS[next]}`)
  }
}
