/** Settings of which only some are given. */

/** Those that are: an absent one must not override one that exists. */
export const given = <A extends object>(settings: A): { [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as never
