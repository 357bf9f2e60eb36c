/** A number of bytes in the reader's number format; src/http/contract/sizes.ts does the same elsewhere. */

const UNITS = ["KB", "MB", "GB", "TB"] as const

/** In units of 1024, as the plans’ limits are. */
export const sizeOf = (bytes: number): string => {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`
  let value = bytes / 1024
  let unit = 0
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${new Intl.NumberFormat(undefined, { maximumFractionDigits: value < 9.95 ? 1 : 0, useGrouping: false }).format(value)} ${UNITS[unit]!}`
}
