/** A set of listeners; adding one returns how to remove it. */

export interface Listeners<Args extends ReadonlyArray<unknown>> {
  readonly add: (listener: (...args: Args) => void) => () => void
  readonly tell: (...args: Args) => void
}

export const listeners = <Args extends ReadonlyArray<unknown>>(): Listeners<Args> => {
  const all = new Set<(...args: Args) => void>()
  return {
    add: (listener) => {
      all.add(listener)
      return () => void all.delete(listener)
    },
    tell: (...args) => all.forEach((listener) => listener(...args))
  }
}
