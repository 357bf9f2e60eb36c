/** What an id looks like: a UUID as RFC 9562 §4 writes it, of any version. One that was never given out is looked up in vain, not refused. */
import { Schema } from "effect"

export const isId = Schema.isGUID({ message: "This is not an id.", toJsonSchema: () => ({ format: "uuid" }) })
