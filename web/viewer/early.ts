/** Applies the reader's chosen theme before anything is painted. Imports nothing, so that it runs as a plain script. */
try {
  const theme = localStorage.getItem("svc-theme")
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme
} catch {
  // No storage: the system's theme applies.
}
