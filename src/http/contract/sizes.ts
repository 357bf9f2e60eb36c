/** Writes a number of bytes for people, on our pages and in the terminal; web/app/ui/sizes.ts does the same in the web app. */

const UNITS = ["KB", "MB", "GB", "TB"] as const

/** `512 bytes`, `3.4 MB`, `12 KB`: powers of 1024, as in the plans’ limits; one decimal below 10, and at most three digits before the next unit. */
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
