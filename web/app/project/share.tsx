/** The share dialog at an address of its own, above the document. */
import { useBlocker, useNavigate, useRouter } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { ConfirmDialog, Dialog } from "../ui/dialog.tsx"
import { apart } from "../ui/apart.ts"
import { Overview } from "./overview.tsx"
import { useProject } from "./project.tsx"
import { Recipients, useCreation } from "./recipients.tsx"
import type { Fresh } from "./recipients.tsx"
import { WhoOpens } from "./who-opens.tsx"

const always = () => true

export const Share = () => {
  const { slug, title } = useProject()
  const navigate = useNavigate()
  const { history } = useRouter()
  const [fresh, setFresh] = useState<Fresh>()
  const create = useCreation()
  const uncopied = fresh?.copied === false
  /** However the dialog is left: by its own ways out, by the browser's, or with the page. */
  const { proceed, reset, status } = useBlocker({ shouldBlockFn: always, disabled: !uncopied && !create.isPending, withResolver: true })
  const leave = () => {
    setFresh(undefined)
    proceed?.()
  }
  /** A second press of Escape would go back once more. */
  const isClosing = useRef(false)
  /** To where it was opened: as a step onward, the browser’s way back would open it again. */
  const close = () => {
    if (isClosing.current) return
    isClosing.current = true
    if (history.canGoBack()) history.back()
    else void navigate({ to: "/projects/$slug", params: { slug }, replace: true, resetScroll: false })
  }
  const stay = () => {
    isClosing.current = false
    reset?.()
  }
  return (
    <>
      <Overview />
      <Dialog open wide busy={create.isPending} title={`Share “${apart(title)}”`} onOpenChange={(open) => open || close()}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
          <WhoOpens quiet={uncopied} />
          <Recipients create={create} fresh={fresh} onFresh={setFresh} />
        </div>
        <ConfirmDialog
          open={status === "blocked"} onOpenChange={(open) => open || stay()} title={`Close without copying the link for ${apart(fresh?.made.label ?? create.variables?.label ?? "")}?`} action="Close" keep="Go back"
          loses="It is shown this once. Afterwards you can only revoke it and make a new one." onConfirm={async () => leave()}
        />
      </Dialog>
    </>
  )
}
