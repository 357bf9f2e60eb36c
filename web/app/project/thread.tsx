/** A comment with its replies: its place, replying, resolving, reopening. */
import { useRef, useState } from "react"
import { flushSync } from "react-dom"
import { answerPlace, reopenComment, replyTo, resolveComment } from "../api/comments.ts"
import type { Comment } from "../api/comments.ts"
import { anew } from "../api/once.ts"
import { openUrl } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { Button } from "../ui/button.tsx"
import { earlierThan, firstShown, showEarlier } from "../ui/earlier.ts"
import { Time } from "../ui/facts.tsx"
import { Icon } from "../ui/icon.tsx"
import { Chip } from "../ui/parts.tsx"
import { backAfter } from "../ui/way-back.ts"
import { Said, Writing } from "./comment.tsx"
import { useDraft, useIsWriting } from "./drafts.ts"
import { isWholeDocument, placeOf } from "./places.ts"
import { useProject } from "./project.tsx"
import { useStaying } from "./staying.ts"

/** Nothing above one about the whole document as it is now. */
const Place = ({ comment: { anchor, version } }: { readonly comment: Comment }) => {
  const project = useProject()
  const where = isWholeDocument(anchor) ? undefined : anchor?.where
  const isEarlier = version !== project.version
  if (where === undefined && !isEarlier) return null
  return (
    <p className="facts text-small text-muted">
      {where !== undefined && (
        <a href={openUrl(project, placeOf(anchor))} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-accent underline-offset-4 hover:underline">
          <span className="min-w-0 truncate">{where.slice(0, 1).toUpperCase() + where.slice(1)}</span><Icon name="open" size={14} className="shrink-0" />
        </a>
      )}
      {isEarlier && <span>{where === undefined ? "On" : "on"} version {version}</span>}
    </p>
  )
}

interface RepliesProps {
  readonly to: string
  readonly replies: Comment["replies"]
  readonly settled: boolean
}

/** Of many, the last few and what comes meanwhile; the earlier ones once they are asked for, or while one of them is being edited. */
const Replies = ({ replies, settled, to: id }: RepliesProps) => {
  const [first, unfold] = useState(() => firstShown(replies))
  const isEditing = useIsWriting("edit")
  const list = useRef<HTMLUListElement>(null)
  const earlier = earlierThan(first, replies)
  const folded = replies.slice(0, earlier).some((one) => isEditing(one.id)) ? 0 : earlier
  const show = () => {
    flushSync(() => unfold(undefined))
    list.current?.querySelector("li")?.focus()
  }
  return (
    <>
      {folded > 0 && <Button shape="bare" aria-controls={`replies-${id}`} className="-ml-2.5 justify-self-start" onClick={show}>{showEarlier(folded)}</Button>}
      <ul ref={list} id={`replies-${id}`} aria-label="Replies" className="grid gap-4 border-l-2 border-line pl-4">
        {replies.slice(folded).map((one) => <li key={one.id} tabIndex={-1}><Said said={one} settled={settled} replies={0} /></li>)}
      </ul>
    </>
  )
}

/** One that is being changed stays where it was. */
const useReplies = ({ replies }: Comment): Comment["replies"] => {
  const isEditing = useIsWriting("edit")
  const staying = useStaying(replies, ({ id }) => isEditing(id))
  return staying.length === 0 ? replies : [...replies, ...staying].sort((a, b) => a.id < b.id ? -1 : 1)
}

export const Thread = ({ comment }: { readonly comment: Comment }) => {
  const { author: { name: author }, id, project_slug: slug, resolved_at, resolved_by, status, updated_at: seen } = comment
  const replies = useReplies(comment)
  const draft = useDraft("answer", id)
  const [opened, setOpened] = useState(false)
  const reply = useChange(replyTo, { quiet: true })
  const resolve = useChange(resolveComment)
  const reopen = useChange(reopenComment)
  const settled = status === "resolved"
  const { comments_enabled } = useProject()
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 py-5 first:pt-1">
      <Place comment={comment} />
      <Said said={comment} settled={settled} replies={replies.length} />
      {replies.length > 0 && <Replies to={id} replies={replies} settled={settled} />}
      {settled && <Chip icon="check" tone="good">Resolved{resolved_by === null ? "" : ` by ${resolved_by.name}`}{resolved_at !== null && <span className="text-muted"><Time at={resolved_at} /></span>}</Chip>}
      {draft.text !== undefined
        ? (
          <Writing
            label={`Your reply to ${author}`} action="Reply" draft={draft} asked={opened} busy={reply.isPending} error={reply.error} onCancel={() => (reply.reset(), anew(answerPlace(id)))}
            onSend={(body) => reply.mutateAsync({ slug, id, body })}
          />
        )
        : (
          <div className="-ml-2.5 flex gap-1">
            {!settled && comments_enabled && <Button shape="bare" icon="reply" aria-label={`Reply to ${author}`} onClick={() => (setOpened(true), draft.write(""))}>Reply</Button>}
            {settled
              ? <Button shape="bare" icon="renew" aria-label={`Reopen the comment by ${author}`} busy={reopen.isPending} onClick={() => backAfter(reopen.mutateAsync({ slug, id, seen }))}>Reopen</Button>
              : <Button shape="bare" icon="check" aria-label={`Resolve the comment by ${author}`} busy={resolve.isPending} onClick={() => backAfter(resolve.mutateAsync({ slug, id, seen }))}>Resolve</Button>}
          </div>
        )}
    </li>
  )
}
