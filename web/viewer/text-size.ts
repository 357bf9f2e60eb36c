/** How large readers have their browser show text: 1 where they changed nothing. For what is measured in px, beside styles in rem. */
export const textSize = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
