/** The reader's theme: the system's until they choose, remembered in this browser. `early.js` reads it before anything is painted. */
import { keep } from "../ui/kept.ts"
import { makeStore } from "../ui/store.ts"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const shown = makeStore<Theme>(THEMES.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system")

export const setTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
  keep("svc-theme", theme === "system" ? null : theme, "localStorage")
  shown.set(theme)
}

export const useTheme = shown.use
