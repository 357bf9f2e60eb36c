/** What somebody wrote: their name, the time, their words, which the author may edit for a while. And the field to write in. */
import { useEffect, useId, useState } from "react"
import type { ReactNode } from "react"
import { now } from "../api/clock.ts"
import { editComment, removeComment } from "../api/comments.ts"
import { useChange } from "../api/queries.ts"
import { useSession } from "../frame/session.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { Time } from "../ui/facts.tsx"
import { FormFault, inputClass } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Menu, MenuItem } from "../ui/menu.tsx"
import { pieces } from "../ui/pieces.ts"
import { useWayBack } from "../ui/way-back.ts"
import { useDraft } from "./drafts.ts"
import type { Draft } from "./drafts.ts"
import { useMayChange, useProject } from "./project.tsx"

interface WritingProps {
  readonly label: string
  readonly action: string
  readonly before?: string
  readonly draft: Draft
  /** Somebody asked for it just now; a field restored when they come back leaves the focus where it is. */
  readonly asked: boolean
  readonly busy: boolean
  readonly error: unknown
  readonly onSend: (body: string) => Promise<unknown>
  readonly onCancel: () => void
}

/** Ctrl and Enter sends, once; Escape closes the field only while nothing was changed, so that no typed text is lost. */
export const Writing = ({ action, asked, before = "", busy, draft: { forget, text: body = before, write }, error, label, onCancel, onSend }: WritingProps) => {
  const id = useId()
  useWayBack()
  const send = () => {
    // The failure is shown as `error`.
    const words = body.trim()
    if (!busy && words !== "") void onSend(words).then(() => forget(words), () => {})
  }
  const cancel = () => {
    onCancel()
    forget()
  }
  return (
    <Form className="grid gap-2" onSend={send}>
      <label htmlFor={id} className="sr-only">{label}</label>
      <textarea
        id={id} autoFocus={asked} required maxLength={10_000} value={body} placeholder={label} rows={Math.min(12, Math.max(3, body.split("\n").length))}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) send()
          if (event.key === "Escape" && body.trim() === before.trim()) cancel()
        }}
        className={`${inputClass} resize-y py-2 leading-normal`}
      />
      <FormFault error={error} />
      <div className="flex gap-2"><Button type="submit" busy={busy} disabled={body.trim() === ""}>{action}</Button><Button shape="bare" disabled={busy} onClick={cancel}>Cancel</Button></div>
    </Form>
  )
}

/** Turns false by itself when the time is over. */
const useEditable = (mine: boolean, until: string | undefined): boolean => {
  const left = until === undefined ? 0 : new Date(until).getTime() - now()
  const [, again] = useState(0)
  useEffect(() => {
    if (!mine || left <= 0) return
    const timer = setTimeout(() => again((count) => count + 1), left + 500)
    return () => clearTimeout(timer)
  }, [mine, left])
  return mine && left > 0
}

export interface Written {
  readonly id: string
  readonly body: string
  readonly author: { readonly id: string | null; readonly name: string; readonly email: string | null }
  readonly created_at: string
  readonly editable_until?: string
  readonly edited: boolean
}

const Words = ({ of }: { readonly of: string }) =>
  pieces(of).map(({ href, text }, index) => href === undefined ? text : (
    <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow ugc" className="text-accent underline underline-offset-4">{text}</a>
  ))

interface SaidProps {
  readonly said: Written
  /** What is in a resolved thread cannot be changed. */
  readonly settled: boolean
  readonly replies: number
  readonly children?: ReactNode
}

export const Said = ({ children, replies, said: { author, body, created_at, editable_until, edited, id }, settled }: SaidProps) => {
  const { slug } = useProject()
  const mayChange = useMayChange()
  const { user } = useSession()
  const editable = useEditable(author.id === user.id, editable_until)
  const draft = useDraft("edit", id)
  const answer = useDraft("answer", id)
  const [opened, setOpened] = useState(false)
  const [asked, setAsked] = useState(false)
  const edit = useChange(editComment, { quiet: true })
  const remove = useChange(removeComment, { quiet: true })
  const mayEdit = editable && !settled
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <div className="flex items-center gap-2">
        <p className="facts min-w-0 flex-1 text-small text-muted">
          <span className="font-medium text-ink" title={author.email ?? undefined}>{author.name}</span>
          <Time at={created_at} />
          {edited && <span>edited</span>}
        </p>
        {(mayEdit || mayChange) && (
          <Menu trigger={<IconButton icon="more" label={`Comment by ${author.name}`} className="-my-2" />}>
            {mayEdit && <MenuItem icon="pen" onSelect={() => (setOpened(true), draft.write(body))}>Edit</MenuItem>}
            <MenuItem icon="trash" danger onSelect={() => setAsked(true)}>Delete</MenuItem>
          </Menu>
        )}
      </div>
      {draft.text !== undefined
        ? (
          <Writing
            label="Your comment" action="Save" before={body} draft={draft} asked={opened} busy={edit.isPending} error={edit.error} onCancel={edit.reset}
            onSend={(next) => edit.mutateAsync({ slug, id, body: next })}
          />
        )
        : <p className="written max-w-[41rem] break-words whitespace-pre-wrap"><Words of={body} /></p>}
      {children}
      <ConfirmDialog
        open={asked} onOpenChange={setAsked} title="Delete this comment?" action="Delete comment"
        loses={replies > 0 ? `Its ${replies === 1 ? "reply goes" : `${replies} replies go`} with it. There is no way back.` : "It disappears for everybody. There is no way back."}
        onConfirm={() => remove.mutateAsync({ slug, id }).then(() => (answer.forget(), draft.forget()))}
      />
    </div>
  )
}
