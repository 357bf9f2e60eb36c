/** Where the web app starts. */
import "./entry/mailed.ts"
import { QueryClientProvider } from "@tanstack/react-query"
import type { QueryKey } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { keys, makeQueryClient } from "./api/queries.ts"
import { asRefusal, Refusal } from "./api/refusal.ts"
import { whenAnother } from "./api/whose.ts"
import { turnedAfter } from "./frame/another.ts"
import { isSignedOut, sessionEnded, sessionHolds, workspaceGone } from "./frame/session.ts"
import { makeRouter } from "./router.tsx"
import { refuseFiles } from "./ui/dragging.ts"
import "virtual:look.css"
import "./styles.css"

/** Not comments: whoever posts one to a project that was renamed is led to where it is now, by the screen that this would take away. */
const ABOUT_A_PROJECT = new Set<unknown>([keys.shareLinks("")[0], keys.analytics("")[0]])

/** The project that a read beside its own is about. */
const projectIn = ([slice, one, slug, ...more]: QueryKey): unknown =>
  ABOUT_A_PROJECT.has(slice) ? one : slice === keys.projects[0] && one === "one" && more.length > 0 ? slug : undefined

/** Those who never were signed in are led to the sign-in by the router. */
const queries = makeQueryClient({
  refused: (error, key) => {
    if (isSignedOut(error) && queries.getQueryData(keys.me) !== undefined) sessionEnded()
    if (asRefusal(error).status === 404 && asRefusal(error).field === "workspace") void workspaceGone(queries)
    // What is asked about a project says first that it was renamed or deleted elsewhere.
    const slug = projectIn(key)
    if (asRefusal(error).status === 404 && typeof slug === "string") void queries.invalidateQueries({ queryKey: keys.project(slug), exact: true })
  },
  read: (key) => key[0] === keys.me[0] && sessionHolds()
})
whenAnother(turnedAfter(queries))
const router = makeRouter(queries)

refuseFiles()

// Requested only once this script is here, which the first screen waits for; its text does not wait for the face (font-display).
document.fonts.load(`1em "Svc Sans"`).catch(() => {})

createRoot(document.querySelector("#app")!, {
  // A refusal is shown in the page's own words; any other failure of a screen is a bug of ours.
  onCaughtError: (error) => error instanceof Refusal || console.error(error)
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
