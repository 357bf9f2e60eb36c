/** The question before a project is deleted: what goes with it, and how to keep what is in it. */
import type { MouseEvent } from "react"
import { download, downloadUrl, removeProject } from "../api/projects.ts"
import type { Project } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { forget } from "../library/publishing.ts"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { apart } from "../ui/apart.ts"

interface DeleteProjectProps {
  readonly project: Project
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onGone?: () => Promise<unknown>
}

export const DeleteProject = ({ onGone, onOpenChange, open, project: { slug, title, url, version } }: DeleteProjectProps) => {
  const remove = useChange(removeProject, { quiet: true })
  const save = useChange(download)
  const saving = (event: MouseEvent) => {
    event.preventDefault()
    save.mutate({ slug, version })
  }
  return (
    <ConfirmDialog
      open={open} onOpenChange={onOpenChange} title={`Delete “${apart(title)}”?`} action="Delete project"
      loses={
        <>
          <p>
            <span className="font-mono text-small break-all text-ink">{new URL(url).host}</span> stops answering at once. {version > 0 ? "Its versions, links for recipients, comments and figures go with it." : "Its links for recipients go with it."} There is no way back.
            {version > 0 && <> <a href={downloadUrl(slug, version)} onClick={saving} className="text-accent underline underline-offset-4">Download it first</a>.</>}
          </p>
          <p className="mt-2">The name <span className="font-mono text-small">{slug}</span> stays yours for 30 days: publish to it again, and the address answers again.</p>
        </>
      }
      onConfirm={async () => {
        await remove.mutateAsync({ slug, title })
        forget(slug)
        await onGone?.()
      }}
    />
  )
}
