/** Whether readers may comment, and who: members, a list of addresses, or anyone who can open it. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { allowlistOfProject, changeProjectAllowlist } from "../api/allowlists.ts"
import { changeProject } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { RadioCards, Switch } from "../ui/choices.tsx"
import { countOf } from "../ui/facts.tsx"
import { Field, FormFault } from "../ui/field.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { useProject } from "./project.tsx"

const WHO = [
  { value: "members", label: "Members of the workspace", hint: "Nobody else writes here." },
  { value: "allowlist", label: "Members and the people listed", hint: "They sign in with an address of the list, and need to be able to open the document." },
  { value: "anyone", label: "Anyone who can open it", hint: "Whoever is signed in and came in may write." }
] as const

const Emails = ({ emails, mayChange }: { readonly emails: ReadonlyArray<string>; readonly mayChange: boolean }) => {
  const { slug } = useProject()
  const change = useChange(changeProjectAllowlist, { quiet: true })
  const [typed, setTyped] = useState("")
  // Several at once, as they are copied from a mail.
  const given = typed.split(/[\s,;]+/).filter((one) => one !== "")
  const set = (next: ReadonlyArray<string>) => change.mutate({ slug, changes: { emails: [...next] } }, { onSuccess: () => setTyped("") })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {emails.length > 0 && (
        <ul aria-label="Listed here" className="divide-y divide-line rounded-control border border-line">
          {emails.map((email) => (
            <li key={email} className="flex min-h-11 items-center gap-2 pr-1 pl-3">
              <span className="min-w-0 flex-1 truncate">{email}</span>
              {mayChange && <IconButton icon="close" label={`Take ${email} off the list`} disabled={change.isPending} onClick={() => set(emails.filter((one) => one !== email))} />}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <form className="flex flex-wrap items-start gap-2" onSubmit={(event) => (event.preventDefault(), set([...emails, ...given]))}>
          <Field label="Add people by email" className="min-w-0 flex-1 basis-60" value={typed} inputMode="email" autoComplete="off" placeholder="dana@northwind.example" onChange={({ target }) => (change.reset(), setTyped(target.value))} />
          <Button type="submit" className="mt-[27px]" busy={change.isPending} disabled={given.length === 0}>Add</Button>
        </form>
      )}
      <FormFault error={change.error} />
    </div>
  )
}

const Lists = ({ mayChange }: { readonly mayChange: boolean }) => {
  const { folder_id, slug } = useProject()
  const { data } = useQuery(allowlistOfProject(slug))
  const change = useChange(changeProjectAllowlist)
  if (data === undefined) return <Loading what="the list"><Skeleton className="h-24" /></Loading>
  const above = folder_id === null ? "the workspace" : "its folder"
  return (
    <>
      <Emails emails={data.emails} mayChange={mayChange} />
      <Switch
        label={`Also those listed for ${above}`} checked={data.comment_allowlist_inherit} disabled={!mayChange || change.isPending}
        hint={data.inherited_emails.length === 0 ? "Nobody is listed there." : data.comment_allowlist_inherit ? `${countOf(data.inherited_emails.length, "person", "people")} from there may write here.` : `${countOf(data.inherited_emails.length, "person", "people")} would join from there.`}
        onChange={(comment_allowlist_inherit) => change.mutate({ slug, changes: { comment_allowlist_inherit } })}
      />
      {data.comment_allowlist_inherit && data.inherited_emails.length > 0 && (
        <details className="group -mt-2"><summary className="inline-flex min-h-9 items-center text-small text-muted hover:text-ink">Show them</summary><ul className="grid gap-1 pt-1 text-small text-muted">{data.inherited_emails.map((email) => <li key={email} className="break-all">{email}</li>)}</ul></details>
      )}
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
            hint={raw ? "The page is served as it is, so there is no room for comments. Show it in a frame to have them." : "Beside the document, for those chosen here. Off: what was written is kept."}
          />
          {comments_enabled && (
            <>
              {mayChange
                ? <RadioCards label="Who can comment" value={comment_access} onChange={(next) => change.mutate({ slug, changes: { comment_access: next } })} options={WHO} />
                : <p>{WHO.find(({ value }) => value === comment_access)?.label} can comment.</p>}
              {comment_access === "allowlist" && <Lists mayChange={mayChange} />}
            </>
          )}
        </div>
      </Section>
    </div>
  )
}
