/** The share dialog at an address of its own, above the document. */
import { useNavigate } from "@tanstack/react-router"
import { Dialog } from "../ui/dialog.tsx"
import { Overview } from "./overview.tsx"
import { useProject } from "./project.tsx"
import { Recipients } from "./recipients.tsx"
import { WhoOpens } from "./who-opens.tsx"

export const Share = () => {
  const { slug, title } = useProject()
  const navigate = useNavigate()
  return (
    <>
      <Overview />
      <Dialog open wide title={`Share “${title}”`} onOpenChange={(open) => open || void navigate({ to: "/projects/$slug", params: { slug }, resetScroll: false })}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
          <WhoOpens />
          <Recipients />
        </div>
      </Dialog>
    </>
  )
}
