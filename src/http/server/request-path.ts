/** The path of a request, as it was sent. */

export const pathOf = ({ url }: { readonly url: string }): string => url.split("?", 1)[0] ?? "/"
