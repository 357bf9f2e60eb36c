/**
 * Script that computes cannot be stopped from outside where the browser runs a frame in its page's own process: then it keeps the page
 * waiting as well. So what such script calls over and over looks at the clock, and throws once the time is over.
 */
let ends = Infinity
let calls = 0

/** Once it is, whatever still goes on is stopped too, until there is another time. */
export const isOver = (): boolean => performance.now() > ends

const look = (): void => {
  if ((++calls & 255) === 0 && isOver()) throw new Error("The time is over")
}

const watch = (owner: object, ...names: ReadonlyArray<string>): void => {
  for (const name of names) {
    const original: (...given: ReadonlyArray<unknown>) => unknown = Reflect.get(owner, name)
    Reflect.set(owner, name, function(this: unknown, ...given: ReadonlyArray<unknown>) {
      look()
      return Reflect.apply(original, this, given)
    })
  }
}

/** Once, before what is to be stopped has taken any of these for itself. */
export const watchClock = (): void => {
  watch(Math, "abs", "floor", "max", "min", "random", "sqrt")
  watch(Array.prototype, "filter", "forEach", "indexOf", "map", "push")
  watch(Map.prototype, "get", "has")
  watch(Set.prototype, "has")
  watch(Object, "keys")
  watch(String.prototype, "slice")
  watch(Node.prototype, "appendChild", "insertBefore")
  watch(Element.prototype, "setAttribute")
  watch(SVGGraphicsElement.prototype, "getBBox")
}

/** From now on; without end where no time is given. */
export const within = (ms = Infinity): void => void (ends = performance.now() + ms)
