/** Tells the reader that there is a newer version than the one on the page, over it: what is being read does not move. */
import "./newer.css"
import { tool } from "./tools.ts"

export const newer = (): void => {
  if (document.querySelector(".newer") !== null) return
  const news = Object.assign(document.createElement("p"), { className: "newer" })
  news.setAttribute("role", "alert")
  const reload = Object.assign(document.createElement("button"), { type: "button", className: "tool", textContent: "Reload" })
  reload.addEventListener("click", () => location.reload())
  news.append("A newer version was published while you were reading.", reload, tool({ icon: "close", label: "Go on reading this one", run: () => news.remove() }))
  document.body.append(news)
}
