/** What fills the panel of comments. */
import type { MountComments } from "./stage.ts"

export const mount: MountComments = (panel) => {
  panel.append(Object.assign(document.createElement("h2"), { textContent: "Comments" }))
}
