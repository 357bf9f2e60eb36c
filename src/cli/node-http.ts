/** Node's own HTTP. `import` would read every export of `node:http`, and some of them load what no command needs: half as long again as a whole start. */
import { createRequire } from "node:module"
import type * as Http from "node:http"

const require = createRequire(import.meta.url)

export const httpFor = ({ protocol }: URL): Pick<typeof Http, "Agent" | "request"> => require(protocol === "https:" ? "node:https" : "node:http")
