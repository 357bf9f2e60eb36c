/** What stands for a name in a small space: its first letter with its accents, or a whole emoji. */
export const initialOf = (name: string): string => [...new Intl.Segmenter().segment(name.trim())][0]?.segment.toUpperCase() ?? ""
