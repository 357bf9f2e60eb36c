/** `X-Request-Id`: a well-formed incoming one is kept, so that a caller’s logs and ours can be matched (CONTRACT §1). */

const SANE = /^[\w.:-]{1,128}$/

export const isSaneId = (incoming: string | ReadonlyArray<string> | undefined): incoming is string =>
  typeof incoming === "string" && SANE.test(incoming)
