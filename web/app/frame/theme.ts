/** The reader's theme: the system's until they choose, remembered in this browser. `early-theme.js` reads it before anything is painted. */
import { makeStore } from "../ui/store.ts"

export const THEMES = ["system", "light", "dark"] as const
export type Theme = (typeof THEMES)[number]

const shown = makeStore<Theme>(THEMES.find((theme) => theme === document.documentElement.dataset["theme"]) ?? "system")

export const setTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
  try {
    if (theme === "system") localStorage.removeItem("svc-theme")
    else localStorage.setItem("svc-theme", theme)
  } catch {
    // Not remembered, but shown.
  }
  shown.set(theme)
}

export const useTheme = shown.use
