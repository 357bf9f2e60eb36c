/** Who can open a document: three choices with a plain sentence each, the doorcode, the address. */
import { useState } from "react"
import { changeProject } from "../api/projects.ts"
import type { ProjectDetail } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import type { Refusal } from "../api/refusal.ts"
import { useKeeps } from "../library/folders.tsx"
import { announce } from "../ui/announce.ts"
import { apart } from "../ui/apart.ts"
import { Button, IconButton } from "../ui/button.tsx"
import { RadioCards } from "../ui/choices.tsx"
import { Field, faultOf, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Icon } from "../ui/icon.tsx"
import { CopyButton, Url } from "../ui/parts.tsx"
import { useWayBack } from "../ui/way-back.ts"
import { useMayChange, useProject } from "./project.tsx"

const CHOICES = [
  { value: "public", label: "Anyone with the address", hint: "No code, no sign-in. Whoever has the address can open it." },
  { value: "password", label: "Anyone with the doorcode", hint: "The address asks for a code that you hand out. A new code closes the door to everyone who used the old one." },
  { value: "private", label: "Only people you choose", hint: "Opens only for people you give a link, and for your workspace." }
] as const

/** In a private folder. */
const KEPT = CHOICES.map((one) => one.value === "private" ? { ...one, hint: "Opens only for people you give a link: its folder is private." } : one)

const codeUnchanged = (title: string) => ({ message }: Refusal): string => `The doorcode of ${apart(title)} was not changed. ${message}`

/** It shows by itself, away from the focus. */
const tellCode = ({ password, visibility }: ProjectDetail): void => {
  if (visibility === "password" && password !== null) announce(`The doorcode is ${password} now`)
}

const NewDoorcode = ({ onDone }: { readonly onDone: () => void }) => {
  const { slug, title } = useProject()
  const [typed, setTyped] = useState("")
  const change = useChange(changeProject, { quiet: true, left: codeUnchanged(title) })
  useWayBack()
  const saved = () => {
    onDone()
    announce("Saved")
  }
  return (
    <Form className="grid gap-3" onSend={() => change.mutate({ slug, changes: { password: typed.trim() } }, { onSuccess: saved })} onLeave={onDone}>
      <Field
        label="New doorcode" autoFocus value={typed} minLength={6} maxLength={128} required autoComplete="off" spellCheck={false} onChange={({ target }) => setTyped(target.value)}
        hint="6 to 128 characters. Whoever came in by the old one has to enter the new one." fault={faultOf(change.error, "password")}
      />
      <FormFault error={change.error} shown={["password"]} />
      <div className="flex gap-2"><Button type="submit" busy={change.isPending}>Set doorcode</Button><Button shape="bare" disabled={change.isPending} onClick={onDone}>Cancel</Button></div>
    </Form>
  )
}

const Doorcode = ({ code }: { readonly code: string }) => {
  const { slug, title } = useProject()
  const [choosing, setChoosing] = useState(false)
  const change = useChange(changeProject, { quiet: true, left: codeUnchanged(title) })
  if (choosing) return <NewDoorcode onDone={() => setChoosing(false)} />
  const make = () => change.mutate({ slug, changes: { password: null } }, { onSuccess: tellCode })
  return (
    <div className="grid gap-2">
      <div className="flex items-center rounded-control border border-line py-1 pr-1 pl-4">
        <div className="min-w-0 flex-1 py-1 sm:flex sm:items-baseline sm:gap-3"><span className="text-small text-muted">Doorcode</span><code className="block font-mono font-medium break-words">{code}</code></div>
        <CopyButton text={code} label="Copy doorcode" shape="icon" />
        <IconButton icon="renew" label="Make a new doorcode" disabled={change.isPending} onClick={make} />
        <IconButton icon="pen" label="Choose the doorcode" onClick={() => setChoosing(true)} />
      </div>
      <FormFault error={change.error} />
    </div>
  )
}

/** `quiet`: something else in the dialog comes first. */
export const WhoOpens = ({ quiet }: { readonly quiet: boolean }) => {
  const { folder_id, password, slug, title, url, visibility, workspace_id } = useProject()
  const mayChange = useMayChange()
  const change = useChange(changeProject, { quiet: true, left: ({ message }) => `Who can open ${apart(title)} was not changed. ${message}` })
  const isForLinks = visibility === "private" && mayChange
  const kept = useKeeps(folder_id, workspace_id)
  const choices = kept ? KEPT : CHOICES
  const chosen = choices.find(({ value }) => value === visibility)
  return (
    <section aria-label="Who can open this" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {mayChange
        ? <RadioCards atOnce label="Who can open this" value={visibility} onChange={(next) => change.mutate({ slug, changes: { visibility: next } }, { onSuccess: tellCode })} options={choices} />
        : (
          <p className="flex gap-3">
            <Icon name="globe" className="mt-0.5 shrink-0 text-muted" />
            <span><span className="block font-medium">{chosen?.label}</span><span className="block text-small text-muted">{chosen?.hint} Its owner and your admins can change that.</span></span>
          </p>
        )}
      <FormFault error={change.error} />
      {visibility === "password" && password !== null && <Doorcode code={password} />}
      <div className="flex flex-wrap items-center gap-2 rounded-control border border-line p-1 pl-4 max-sm:p-3">
        <span className="min-w-0 flex-1 font-mono text-small wrap-anywhere max-sm:basis-full"><Url>{url}</Url></span>
        {visibility === "password" && password !== null && <CopyButton text={`${title}\n${url}\nDoorcode: ${password}`} label="Copy both" />}
        <CopyButton text={url} label="Copy address" shape={isForLinks || quiet ? "quiet" : "filled"} />
      </div>
      {isForLinks && <p className="text-small text-muted">{kept ? "Opens for you only." : "Opens for members only."} Give others a link below.</p>}
    </section>
  )
}
