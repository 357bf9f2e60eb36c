/** The codes with which programs colour what they write in a terminal: no part of its words. */

/** In the group: what a code sets of colours and type (SGR). The others move the cursor, name the window, or link. */
export const CODES = /\x1b(?:\[(?:([\d;:]*)m|[0-?]*[ -/]*[@-~])|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[()][AB012])/g

export const withoutCodes = (text: string): string => text.includes("\x1b") ? text.replace(CODES, "") : text
