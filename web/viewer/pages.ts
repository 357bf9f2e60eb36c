/** Which page of a site an address leads to: `/`, `/index` and `/index.html` are one file, `/about` and `/about.html` another. Pure. */
export const pageOf = (path: string): string => path.replace(/([^/])\.html$/, "$1").replace(/\/index$/, "/")

export const isSamePage = (one: string, other: string): boolean => pageOf(one) === pageOf(other)
