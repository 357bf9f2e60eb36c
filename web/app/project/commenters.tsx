/** Whether readers may comment on a project, and who. */
import { useQuery } from "@tanstack/react-query"
import { allowlistOf } from "../api/allowlists.ts"
import { changeProject } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { accessOf } from "../commenters/access.ts"
import { AccessChoice, ListedAbove, ListedPeople } from "../commenters/commenters.tsx"
import { Switch } from "../ui/choices.tsx"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { useProject } from "./project.tsx"

const Lists = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { folder_id, slug } = useProject()
  const of = { level: "project", id: slug } as const
  const read = useQuery(allowlistOf(of))
  const { data } = read
  if (isMissing(read)) return <Missing what="The list" of={read} />
  if (data === undefined) return <Loading what="the list"><Skeleton className="h-24" /></Loading>
  return (
    <>
      <ListedPeople of={of} list={data} mayChange={mayChange} />
      <ListedAbove of={of} list={data} mayChange={mayChange} above={folder_id === null ? "the workspace" : "its folder"} />
    </>
  )
}

export const CommentAccess = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { comment_access, comments_enabled, html_display_mode, kind, slug } = useProject()
  const change = useChange(changeProject)
  const raw = kind === "site" && html_display_mode === "raw"
  return (
    <div id="comments" className="scroll-mt-4 border-t border-line pt-7">
      <Section title="Comments">
        <div className="grid max-w-xl grid-cols-[minmax(0,1fr)] gap-5">
          <Switch
            label="Readers can comment" checked={comments_enabled} disabled={!mayChange} onChange={(next) => change.mutate({ slug, changes: { comments_enabled: next } })}
            hint={raw ? "The page is served as it is, so there is no room for comments. Show it in a frame to have them." : "Those chosen here can write beside the document; whoever opens it can read what they wrote. Off: what was written is kept."}
          />
          {comments_enabled && (
            <>
              {mayChange
                ? <AccessChoice label="Who can comment" value={comment_access} onChange={(next) => change.mutate({ slug, changes: { comment_access: next } })} />
                : <p>{accessOf(comment_access)} can comment.</p>}
              {comment_access === "allowlist" && <Lists mayChange={mayChange} />}
            </>
          )}
        </div>
      </Section>
    </div>
  )
}
