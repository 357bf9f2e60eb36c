/** The address that somebody gave a moment ago, in this tab: nobody types it again on the next page of their way in. */
const NOTED = "svc-email"

export const noteEmail = (email: string): void => {
  try {
    sessionStorage.setItem(NOTED, email)
  } catch {
    // It is typed again then.
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
