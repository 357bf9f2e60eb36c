/** The dialog that makes a workspace, loaded once somebody asks for it. */
import { Suspense, useState } from "react"
import { loaded, partOf } from "../ui/loaded.ts"

const load = () => import("../workspace/new-workspace.tsx")
const NewWorkspace = partOf(load, (part) => part.default)

/** `make` opens the dialog, which stands where `dialog` is drawn. */
export const useNewWorkspace = () => {
  const [making, setMaking] = useState(false)
  return {
    make: () => void loaded(load, () => setMaking(true)),
    dialog: making && <Suspense><NewWorkspace onClose={() => setMaking(false)} /></Suspense>
  }
}
