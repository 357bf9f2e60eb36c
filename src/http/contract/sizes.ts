/** A number of bytes as people say it, on our pages and in the terminal; web/app/ui/sizes.ts says the same in the web app. */

const UNITS = ["KB", "MB", "GB", "TB"] as const

/** `512 bytes`, `3.4 MB`, `12 KB`: counted by 1024, as the plans’ limits are; one decimal while it says something, and never more than three digits before the next unit. */
export const sizeText = (bytes: number): string => {
  if (bytes < 1024) return Math.round(bytes) === 1 ? "1 byte" : `${Math.round(bytes)} bytes`
  let value = bytes / 1024
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)} ${UNITS[unit]!}`
}
