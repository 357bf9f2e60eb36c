/** What is made once for each name, and kept: only where the names are few and no stranger's. */
export const madeOnce = <A>(make: (name: string) => A) => {
  const made = new Map<string, A>()
  return (name: string): A => {
    const found = made.get(name)
    if (found !== undefined) return found
    const one = make(name)
    made.set(name, one)
    return one
  }
}
