/** A name as people type it to find it: in any case, and without its accents. */
export const plain = (name: string): string => name.normalize("NFD").replaceAll(/[\u0300-\u036f]/g, "").toLocaleLowerCase()
