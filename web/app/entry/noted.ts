/** The address that somebody typed a moment ago in this tab, so that they need not type it again on the next page. */
const NOTED = "svc-email"

export const noteEmail = (email: string): void => {
  try {
    sessionStorage.setItem(NOTED, email)
  } catch {
    // Then it has to be typed again.
  }
}

export const notedEmail = (): string => {
  try {
    return sessionStorage.getItem(NOTED) ?? ""
  } catch {
    return ""
  }
}

export const forgetEmail = (): void => {
  try {
    sessionStorage.removeItem(NOTED)
  } catch {
    // Nothing was kept.
  }
}
