/** How large a version's thumbnail is, safe for clients. */
import { Schema } from "effect"

/** In pixels. */
export const ThumbnailSize = Schema.Struct({ width: Schema.Int, height: Schema.Int })
