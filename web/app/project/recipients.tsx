/** Links for recipients: make, copy once, count, change, revoke. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { membersOf } from "../api/members.ts"
import { createShareLink, revokeShareLink, shareLinksOf } from "../api/share-links.ts"
import type { NewShareLink, ShareLink } from "../api/share-links.ts"
import { useChange } from "../api/queries.ts"
import { useSession } from "../frame/session.ts"
import { Button, IconButton } from "../ui/button.tsx"
import type { ButtonShape } from "../ui/button.tsx"
import { Switch } from "../ui/choices.tsx"
import { ConfirmDialog } from "../ui/dialog.tsx"
import { countOf, isOver, Time } from "../ui/facts.tsx"
import { Field, faultOf, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Icon } from "../ui/icon.tsx"
import { useMinute } from "../ui/minute.ts"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Chip, CopyButton, Loading, Skeleton, Url } from "../ui/parts.tsx"
import { apart } from "../ui/apart.ts"
import { backAfter, useWayBack } from "../ui/way-back.ts"
import { LinkEditor } from "./link-editor.tsx"
import { useMayChange, useProject } from "./project.tsx"

/** Who gets the mail of a first open, in words: others do not see whether its owner's account is to be erased, of which the admins hear. */
const useHearer = () => {
  const { owner, workspace_id } = useProject()
  const isOwn = useSession().user.id === owner.id
  const { data } = useQuery({ ...membersOf(workspace_id), enabled: !isOwn })
  if (isOwn) return { tell: "Tell me", gets: "you get a mail" }
  const isThere = data?.some(({ user_id }) => user_id === owner.id) ?? true
  return isThere ? { tell: "Tell whoever looks after it", gets: "whoever looks after it gets a mail" } : { tell: "Tell your admins", gets: "your admins get a mail" }
}

/** Above the form: whoever leaves while a link is being made would never see its address. */
export const useCreation = () => useChange(createShareLink, { quiet: true })

type Creation = ReturnType<typeof useCreation>

const NewLink = ({ create, onDone, onMade, shape }: { readonly create: Creation; readonly shape: ButtonShape; readonly onMade: (made: NewShareLink) => void; readonly onDone: () => void }) => {
  const { slug } = useProject()
  const [label, setLabel] = useState("")
  const [days, setDays] = useState<string>("")
  const [notify, setNotify] = useState(true)
  const { tell } = useHearer()
  useWayBack()
  const send = () =>
    create.mutate({ slug, label: label.trim(), notify_on_first_open: notify, ...(days !== "" && { expires_in_days: Number(days) }) }, {
      onSuccess: (made) => {
        onMade(made)
        onDone()
      }
    })
  return (
    <Form className="grid gap-4 rounded-control border border-line p-4" onSend={send} onLeave={onDone}>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <Field label="Who is it for?" autoFocus required maxLength={100} value={label} placeholder="Dana at Northwind" autoComplete="off" onChange={({ target }) => setLabel(target.value)} fault={faultOf(create.error, "label")} />
        <Field label="Days it works" type="number" min={1} max={3650} inputMode="numeric" value={days} placeholder="No end" onChange={({ target }) => setDays(target.value)} fault={faultOf(create.error, "expires_in_days")} />
      </div>
      <Switch label={`${tell} when it is opened for the first time`} checked={notify} onChange={setNotify} />
      <FormFault error={create.error} shown={["label", "expires_in_days"]} />
      <div className="flex gap-2"><Button type="submit" shape={shape} busy={create.isPending}>Create link</Button><Button shape="bare" disabled={create.isPending} onClick={onDone}>Cancel</Button></div>
    </Form>
  )
}

/** A link that was just made, shown until it is put away: its address is never shown again. */
export interface Fresh {
  readonly made: NewShareLink
  readonly copied: boolean
}

const Made = ({ fresh: { copied, made: { label, share_url } }, onCopied, onDone }: { readonly fresh: Fresh; readonly onCopied: () => void; readonly onDone: () => void }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => void box.current?.scrollIntoView({ block: "nearest" }), [])
  return (
    <div ref={box} className="grid gap-2 rounded-control border border-line bg-desk p-4">
      <p className="flex gap-2 font-medium"><Icon name="check" className="mt-px shrink-0 text-good" /><span className="min-w-0 break-words">The link for <bdi>{label}</bdi> is ready. Copy it now: it is shown this once.</span></p>
      <code className="font-mono text-small wrap-anywhere"><Url>{share_url}</Url></code>
      <div className="flex gap-2">
        <CopyButton autoFocus text={share_url} label="Copy link" shape={copied ? "quiet" : "filled"} onCopied={onCopied} />
        <Button shape="bare" onClick={() => (backAfter(), onDone())}>Done</Button>
      </div>
    </div>
  )
}

/** A link's own end may be a later one, or none. */
const endOfAll = (expiresAt: string) => {
  const end = <Time at={expiresAt} as="end" />
  return isOver(expiresAt) ? <>The document went down on {end}, so no link opens it now.</> : <>The document itself goes down on {end}: then no link opens it.</>
}

const Row = ({ gets, link, mayChange, onEdit, onRevoke }: { readonly link: ShareLink; readonly gets: string; readonly mayChange: boolean; readonly onEdit: () => void; readonly onRevoke: () => void }) => {
  const { expires_at, first_opened_at, label, last_opened_at = null, notify_on_first_open, view_count } = link
  const over = expires_at !== null && isOver(expires_at)
  return (
    <div className="flex items-center gap-1 py-2">
      <div className="min-w-0 flex-1">
        <p className="written text-left font-medium wrap-anywhere">{label}</p>
        <p className="facts text-small text-muted">
          <span>{view_count === 0 ? "Not opened yet" : `Opened ${countOf(view_count, "time")}`}</span>
          {first_opened_at !== null && <span>first <Time at={first_opened_at} /></span>}
          {last_opened_at !== null && last_opened_at !== first_opened_at && <span>last <Time at={last_opened_at} /></span>}
          {over ? <Chip icon="warn" tone="warn">Ended <Time at={expires_at} as="end" /></Chip> : expires_at !== null && <span>until <Time at={expires_at} as="end" /></span>}
          {notify_on_first_open && first_opened_at === null && <span>{gets}</span>}
        </p>
      </div>
      {mayChange && <><IconButton icon="pen" label={`Change the link for ${label}`} onClick={onEdit} /><IconButton icon="trash" label={`Revoke the link for ${label}`} onClick={onRevoke} /></>}
    </div>
  )
}

export const Recipients = ({ create, fresh, onFresh }: { readonly create: Creation; readonly fresh: Fresh | undefined; readonly onFresh: (next: Fresh | undefined) => void }) => {
  useMinute()
  const { expires_at, slug, taken_down_at, visibility } = useProject()
  const mayChange = useMayChange()
  /** For a private project, links are the only way in for anybody else. */
  const shape = visibility === "private" && fresh?.copied !== false ? "filled" : "quiet"
  const read = useQuery(shareLinksOf(slug))
  const { data: links, error } = read
  const { gets } = useHearer()
  const revoke = useChange(revokeShareLink, { quiet: true })
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<string>()
  const [asked, setAsked] = useState<ShareLink>()
  return (
    <section aria-labelledby="recipients" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex items-start justify-between gap-4">
        <div><h3 id="recipients" className="font-semibold">Links for recipients</h3><p className="text-small text-muted">Each opens the document without a code, has its own count, and can be taken back alone.</p>{expires_at !== null && taken_down_at === null && <p className="text-small text-muted">{endOfAll(expires_at)}</p>}</div>
        {/* A second one would take the place of the first, whose address is not copied yet. */}
        {mayChange && !adding && fresh?.copied !== false && <Button icon="plus" shape={shape} onClick={() => setAdding(true)}>Add link</Button>}
      </div>
      {adding && <NewLink create={create} shape={shape} onMade={(made) => onFresh({ made, copied: false })} onDone={() => (create.reset(), setAdding(false))} />}
      {fresh !== undefined && <Made key={fresh.made.id} fresh={fresh} onCopied={() => onFresh({ ...fresh, copied: true })} onDone={() => onFresh(undefined)} />}
      {isMissing(read) && <Missing what="The links" of={read} />}
      {links === undefined && error === null && <Loading what="links"><Skeleton className="h-13" /></Loading>}
      {links?.length === 0 && !adding && <p className="text-muted">No links so far.{mayChange ? " Make one for each person, so that you see who opened it." : ""}</p>}
      {links !== undefined && links.length > 0 && (
        <ul aria-label="Links" className="divide-y divide-line border-t border-line">
          {links.map((link) => (
            <li key={link.id}>
              {edited === link.id
                ? <LinkEditor slug={slug} link={link} onDone={() => setEdited(undefined)} />
                : <Row link={link} gets={gets} mayChange={mayChange} onEdit={() => setEdited(link.id)} onRevoke={() => setAsked(link)} />}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={asked !== undefined} onOpenChange={(open) => open || setAsked(undefined)}
        title={`Revoke the link for ${apart(asked?.label ?? "")}?`} action="Revoke link"
        loses="It stops opening at once, also for whoever is reading by it now, and its count goes with it. Other links stay. There is no way back: you can only make a new one."
        onConfirm={async () => {
          await revoke.mutateAsync({ slug, id: asked?.id ?? "", label: asked?.label ?? "" })
          // What opens nothing any more must not be copied.
          if (asked?.id === fresh?.made.id) onFresh(undefined)
        }}
      />
    </section>
  )
}
