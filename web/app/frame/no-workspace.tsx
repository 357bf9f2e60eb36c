/** For somebody who is in no workspace: making one is one step away. */
import { Button } from "../ui/button.tsx"
import { Empty } from "../ui/parts.tsx"
import { useNewWorkspace } from "./making-workspace.tsx"
import { Page } from "./page.tsx"

const NoWorkspace = () => {
  const { dialog, make } = useNewWorkspace()
  return (
    <Page title="Library">
      <Empty icon="team" title="You are in no workspace" action={<Button shape="filled" onClick={make}>New workspace</Button>}>
        Make one of your own, or ask somebody to invite you into theirs.
      </Empty>
      {dialog}
    </Page>
  )
}

export default NoWorkspace
