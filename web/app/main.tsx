/** Where the web app starts. */
import "./entry/mailed.ts"
import { QueryClientProvider } from "@tanstack/react-query"
import { RouterProvider } from "@tanstack/react-router"
import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { makeQueryClient } from "./api/queries.ts"
import { makeRouter } from "./router.tsx"
import "virtual:look.css"
import "./styles.css"

const queries = makeQueryClient()
const router = makeRouter(queries)

createRoot(document.querySelector("#app")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>
)
