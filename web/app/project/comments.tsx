/** The threads of a project in one list: open ones first, answered and resolved here, each with the way to its place in the document. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { aboutPlace, changeNotifications, commentsOf, notificationsOf, postComment } from "../api/comments.ts"
import type { Comment } from "../api/comments.ts"
import { anew } from "../api/once.ts"
import { changeProject, projectsNamed } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { accessOf } from "../commenters/access.ts"
import { Unread } from "../frame/trouble.tsx"
import { Button, IconButton } from "../ui/button.tsx"
import { isMissing } from "../ui/missing.tsx"
import { Segments } from "../ui/segments.tsx"
import { Empty, Loading, Skeleton } from "../ui/parts.tsx"
import { ShowMore } from "../ui/show-more.tsx"
import { toast } from "../ui/toasts.ts"
import { backAfter } from "../ui/way-back.ts"
import { Writing } from "./comment.tsx"
import { useDraft, useIsWriting } from "./drafts.ts"
import { useMayChange, useProject } from "./project.tsx"
import { useStaying } from "./staying.ts"
import { Thread } from "./thread.tsx"

const FILTERS = [{ value: "open", label: "Open" }, { value: "resolved", label: "Resolved" }, { value: "all", label: "All" }] as const
type Filter = (typeof FILTERS)[number]["value"]

const NONE: Readonly<Record<Filter, readonly [title: string, text: string]>> = {
  open: ["No open comments", "Readers write them beside what they are about, and they show up here."],
  resolved: ["Nothing is resolved yet", "What is resolved stays here, with its replies."],
  all: ["No comments so far", "Readers write them beside what they are about; they show up here."]
}

const Mute = () => {
  const { slug } = useProject()
  const { data } = useQuery(notificationsOf(slug))
  const change = useChange(changeNotifications)
  if (data === undefined) return null
  const { muted } = data
  return <IconButton icon={muted ? "muted" : "bell"} label={muted ? "Mails about these comments are off. Turn them on" : "Turn off mails about these comments"} onClick={() => change.mutate({ slug, notifications: { muted: !muted } })} />
}

const Off = () => {
  const { slug } = useProject()
  const mayChange = useMayChange()
  const change = useChange(changeProject)
  return (
    <Empty icon="talk" title="Comments are off" action={mayChange ? <Button busy={change.isPending} onClick={() => backAfter(change.mutateAsync({ slug, changes: { comments_enabled: true } }))}>Turn comments on</Button> : undefined}>
      The published page is exactly its author’s. With comments on, those whom you choose can write beside the document, and whoever opens it can read what they wrote.
    </Empty>
  )
}

/** Newest first. A thread that somebody writes in stays, so that nobody loses the field they are typing in. */
const useListed = (listed: ReadonlyArray<Comment> | undefined): ReadonlyArray<Comment> | undefined => {
  const [isAnswering, isEditing] = [useIsWriting("answer"), useIsWriting("edit")]
  const staying = useStaying(listed ?? [], ({ id, replies }) => isAnswering(id) || [id, ...replies.map((one) => one.id)].some(isEditing))
  if (listed === undefined) return undefined
  return staying.length === 0 ? listed : [...listed, ...staying].sort((a, b) => a.id < b.id ? 1 : -1)
}

/** After a refusal: to where the project is now, if it was renamed elsewhere and keeps its title. What was typed goes along. Answers whether it led there. */
const useLeadOn = (): (error: Error) => Promise<boolean> => {
  const { id, slug, title, workspace_id } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (error) => {
    if (asRefusal(error).status !== 404) return false
    const { projects } = await queries.fetchQuery({ ...projectsNamed(workspace_id, title), staleTime: 0 })
    const now = projects.find((one) => one.id === id)?.slug ?? slug
    if (now === slug) return false
    await navigate({ to: "/projects/$slug/comments", params: { slug: now }, replace: true })
    toast({ text: `This project is at ${now} now. What you typed is here: post it again.` })
    return true
  }
}

export const Comments = () => {
  const { comment_access, comments_enabled, id, slug } = useProject()
  const mayChange = useMayChange()
  const [chosen, choose] = useState<Filter>()
  const filter = chosen ?? (comments_enabled ? "open" : "all")
  const draft = useDraft("about", id)
  const [opened, setOpened] = useState(false)
  const writing = draft.text !== undefined
  const list = useInfiniteQuery(commentsOf(slug, filter === "all" ? undefined : filter))
  const { data, error } = list
  const post = useChange(postComment, { quiet: true })
  const leadOn = useLeadOn()
  const comments = useListed(data?.pages.flatMap((page) => page.comments))
  const [title, text] = NONE[filter]
  /** Comments are off, and none is known: that is said once, and there is nothing to choose from. */
  const bare = !comments_enabled && filter === "all" && (comments?.length ?? 0) === 0
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      {!bare && (
        <div className="flex flex-wrap items-center gap-2">
          <Segments label="Which comments" value={filter} onChange={choose} options={FILTERS} />
          <span className="ml-auto flex size-11 md:size-9"><Mute /></span>
          <p className="min-w-0 flex-1 basis-40 text-small text-muted md:order-1 md:basis-full">
            {comments_enabled ? `${accessOf(comment_access)} can comment. ` : "Comments are off; what was written is kept. "}
            <Link to="/projects/$slug/settings" params={{ slug }} hash="comments" className="underline underline-offset-4 hover:text-ink">{mayChange ? "Change" : "See who"}</Link>
          </p>
          {comments_enabled && !writing && <Button icon="plus" onClick={() => (setOpened(true), draft.write(""))}>Comment</Button>}
        </div>
      )}
      {writing && (
        <Writing
          label="A comment about the whole document" action="Post comment" draft={draft} asked={opened} error={post.error} busy={post.isPending} onCancel={() => (post.reset(), anew(aboutPlace(slug)))}
          onSend={(body) => post.mutateAsync({ slug, comment: { body } }, { onError: (error) => void leadOn(error).then((led) => led && post.reset(), () => undefined) })}
        />
      )}
      {isMissing(list) && <Unread of={list} />}
      {comments === undefined && error === null && <Loading what="comments"><div className="grid gap-4">{[0, 1, 2].map((one) => <Skeleton key={one} className="h-28" />)}</div></Loading>}
      {comments?.length === 0 && (bare ? <Off /> : <Empty icon="talk" title={title}>{text}</Empty>)}
      {comments !== undefined && comments.length > 0 && <ul aria-label="Comments" className="divide-y divide-line">{comments.map((comment) => <Thread key={comment.id} comment={comment} />)}</ul>}
      <ShowMore of={list} />
    </div>
  )
}
