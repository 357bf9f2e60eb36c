/** Where the web app starts. */
import "./entry/mailed.ts"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { keys, makeQueryClient } from "./api/queries.ts"
import { Refusal } from "./api/refusal.ts"
import { isSignedOut, toLogin } from "./frame/session.ts"
import { makeRouter } from "./router.tsx"
import "virtual:look.css"
import "./styles.css"

/** Whoever was signed in here and is no more; those who never were are led to the sign-in by the router. */
const queries = makeQueryClient((error) => {
  if (isSignedOut(error) && queries.getQueryData(keys.me) !== undefined) void toLogin()
})
const router = makeRouter(queries)

createRoot(document.querySelector("#app")!, {
  // A refusal is shown as the page's own words; anything else that a screen failed of is a fault of ours.
  onCaughtError: (error) => error instanceof Refusal || console.error(error)
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
