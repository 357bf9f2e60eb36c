/** A page that the browser has kept for its Back button, some even one that may not be stored, is left if it does not open any more. */
const SHUT: ReadonlySet<number> = new Set([401, 403, 404, 410])

export const leaveOnceShut = (): void =>
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void fetch(location.href, { method: "HEAD", cache: "no-store" }).then(({ status }) => SHUT.has(status) && location.reload(), () => {})
  })
