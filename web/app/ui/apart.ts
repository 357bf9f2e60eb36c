/** What runs from the right, in sentences that run from the left. */

/** A time, or a name that people gave, set apart: side by side, a day and its year would stand before or after the month, and what ends a name at its beginning. */
export const apart = (text: string): string => /\p{Script=Arabic}|\p{Script=Hebrew}/u.test(text) ? `\u2068${text}\u2069` : text
