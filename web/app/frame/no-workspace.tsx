/** For somebody who is in no workspace: making one is one step away. */
import { Suspense, useState } from "react"
import { Button } from "../ui/button.tsx"
import { loaded, partOf } from "../ui/loaded.ts"
import { Empty } from "../ui/parts.tsx"
import { Page } from "./page.tsx"

const loadNew = () => import("../workspace/new-workspace.tsx")
const NewWorkspace = partOf(loadNew, (part) => part.default)

const NoWorkspace = () => {
  const [making, setMaking] = useState(false)
  return (
    <Page title="Library">
      <Empty icon="team" title="You are in no workspace" action={<Button shape="filled" onClick={() => void loaded(loadNew, () => setMaking(true))}>New workspace</Button>}>
        Make one of your own, or ask somebody to invite you into theirs.
      </Empty>
      {making && <Suspense><NewWorkspace onClose={() => setMaking(false)} /></Suspense>}
    </Page>
  )
}

export default NoWorkspace
