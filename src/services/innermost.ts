/** The error that the others were made of. Of a host with several addresses it is that of the first: the one around them has no words. */
export const innermost = (error: Error): Error => {
  const within: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return within instanceof Error ? innermost(within) : error
}

/** Its message: "connect ECONNREFUSED …", "password authentication failed …". PostgreSQL's never quote a password. */
export const reasonOf = (error: Error): string => innermost(error).message
