/** The words of a quote that was taken from the Markdown itself, as a reader sees them. Pure. */

/** What begins a line: headings, lists with their boxes, quotes, rows of a table. */
const BEGINS = /^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|\|)+/gm
/** The line under the names of a table, a line across the page, and the fences of code. */
const ACROSS = /^[ \t]*(?:[-*_:| \t]{3,}|(?:```|~~~).*)$/gm

export const unmarked = (text: string): string =>
  text
    .replace(ACROSS, "")
    .replace(BEGINS, "")
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g, "$1")
    .replace(/<(?:https?:\/\/[^<>\s]+)>/g, (link) => link.slice(1, -1))
    .replace(/<\/?[a-z][^<>]*>/gi, "")
    .replace(/(?<!\\)(?:~~|`+|\||\*{1,3}(?=\S))|(?<=[^\s\\])\*{1,3}/g, "")
    .replace(/(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
