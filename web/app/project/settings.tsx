/** What can be set about a project: its address, what readers see, until when, its folder, and its deletion. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import type { ReactNode } from "react"
import { foldersIn, takes } from "../api/folders.ts"
import { availabilityOf, changeProject, changeSlug, moveProject, projectOf } from "../api/projects.ts"
import type { ProjectDetail } from "../api/projects.ts"
import { useChange } from "../api/queries.ts"
import { readdress } from "../library/publishing.ts"
import { announce } from "../ui/announce.ts"
import { apart } from "../ui/apart.ts"
import { Button } from "../ui/button.tsx"
import { RadioCards, Switch } from "../ui/choices.tsx"
import { useEdited } from "../ui/edited.ts"
import { isOver, Time } from "../ui/facts.tsx"
import { Field, faultOf, FormFault } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { useMinute } from "../ui/minute.ts"
import { isMissing, Missing } from "../ui/missing.tsx"
import { Loading, Section, Skeleton } from "../ui/parts.tsx"
import { Select } from "../ui/select.tsx"
import { audience } from "../ui/toasts.ts"
import { useTyped } from "../ui/typed.ts"
import { backAfter } from "../ui/way-back.ts"
import { CommentAccess } from "./commenters.tsx"
import { DeleteProject } from "./delete-project.tsx"
import { dayFieldOf, Expiry, isKept, isoOf } from "./expiry.tsx"
import { useMayChange, useProject } from "./project.tsx"

const UNAVAILABLE = {
  slug_taken: "This address is taken. Choose another.",
  slug_reserved: "This name is reserved. Choose another.",
  validation_error: "Use 3 to 63 of a–z, 0–9 and -, with no - at either end."
} as const

const asName = (text: string): string => text.toLowerCase().replaceAll(/[\s_]+/g, "-")

/** Written into the field at once: React would do so later, and leave the caret at its end. */
const nameIn = (field: HTMLInputElement): string => {
  const [name, caret] = [asName(field.value), asName(field.value.slice(0, field.selectionStart ?? undefined)).length]
  if (name !== field.value) {
    field.value = name
    field.setSelectionRange(caret, caret)
  }
  return name
}

const Address = () => {
  const shown = useProject()
  const { slug, url, workspace_id } = shown
  const navigate = useNavigate()
  const client = useQueryClient()
  /** At once: as long as the old address stood here, everything below would request what is gone. */
  const moves = async (from: string, sent: Promise<ProjectDetail>) => {
    const told = audience()
    const project = await sent
    if (told !== audience()) return
    readdress(from, project)
    client.setQueryData(projectOf(project.slug).queryKey, { ...shown, ...project })
    // Whoever changed it or takes it back may be at another of its tabs by now, or elsewhere.
    if (!`${location.pathname}/`.startsWith(`/projects/${from}/`)) return
    await navigate({ to: ".", params: (before) => ({ ...before, slug: project.slug }), search: true, replace: true, resetScroll: false })
  }
  const change = useChange({
    ...changeSlug,
    undo: (_, { slug: now }) => moves(now, changeSlug.send({ slug: now, to: slug }))
  }, { quiet: true })
  const [asked, ask] = useState(slug)
  const [typed, type] = useTyped(slug, ask)
  const { data: free } = useQuery({ ...availabilityOf(workspace_id, asked), enabled: asked !== slug && /^[a-z\d-]{3,}$/.test(asked) })
  const known = asked === typed && asked !== slug ? free : undefined
  const refused = change.variables?.to === typed ? faultOf(change.error, "slug") : null
  const rest = new URL(url).host.slice(slug.length)
  return (
    <Section title="Address" hint="The old address stops at once, and so does every link that you sent with it.">
      <Form className="grid max-w-xl gap-3" onSend={() => backAfter(moves(slug, change.mutateAsync({ slug, to: typed })))}>
        <Field
          label="Name in the address" value={typed} required maxLength={63} autoComplete="off" autoCapitalize="none" spellCheck={false}
          onChange={({ target }) => type(nameIn(target))}
          hint={<><span className="font-mono break-all">{typed}{rest}</span>{refused === null && known?.available === true && " is free."}</>}
          fault={refused ?? (known?.reason == null ? null : UNAVAILABLE[known.reason])}
        />
        <FormFault error={change.error} shown={["slug"]} />
        <div><Button type="submit" busy={change.isPending} disabled={typed === slug || typed === ""}>Change address</Button></div>
      </Form>
    </Section>
  )
}

const MODES = [
  { value: "auto", label: "As fits", hint: "With comments on, the page stands in a frame with the comments beside it; without, it is served as it is." },
  { value: "framed", label: "In a frame", hint: "A slim bar above the page, and room for comments. The page runs on an origin of its own." },
  { value: "raw", label: "As it is", hint: "Exactly the author’s page, with nothing around it. Comments cannot be shown." }
] as const

const Seen = () => {
  const { html_display_mode, indexable, kind, slug } = useProject()
  const change = useChange(changeProject)
  return (
    <Section title="What readers see">
      <div className="grid max-w-xl gap-4">
        {kind === "site" && <RadioCards atOnce label="How the page is shown" value={html_display_mode} onChange={(next) => change.mutate({ slug, changes: { html_display_mode: next } })} options={MODES} />}
        <Switch label="Search engines may list it" hint="Off: search engines are told to stay away. It never opens a closed document." checked={indexable} onChange={(next) => change.mutate({ slug, changes: { indexable: next } })} />
      </div>
    </Section>
  )
}

const untilWhen = (expiresAt: string | null): ReactNode => {
  if (expiresAt === null) return "It stays up until you take it down."
  const end = <Time at={expiresAt} as="end" />
  return isOver(expiresAt) ? <>It went down on {end}. A later day, or none, brings it back.</> : <>It goes down on {end}. Nothing is deleted then: a later day brings it back.</>
}

const Ends = () => {
  useMinute()
  const { expires_at, slug, title } = useProject()
  const change = useChange(changeProject, { quiet: true, left: ({ message }) => `How long ${apart(title)} is up was not changed. ${message}` })
  const before = dayFieldOf(expires_at)
  const { settle, type, value: day } = useEdited(before)
  const saved = () => {
    settle(day)
    announce("Saved")
  }
  return (
    <Section title="How long it is up" hint={untilWhen(expires_at)}>
      <Form className="grid gap-3" onSend={() => change.mutate({ slug, changes: { expires_at: isoOf(day) } }, { onSuccess: saved })}>
        <Expiry label="Up until the end of" day={day} kept={before} onChange={type} fault={faultOf(change.error, "expires_at")} />
        <FormFault error={change.error} shown={["expires_at"]} />
        <div><Button type="submit" busy={change.isPending} disabled={isKept(day, expires_at)}>Save</Button></div>
      </Form>
    </Section>
  )
}

const Kept = () => {
  const { folder_id, owner, slug, title, workspace_id } = useProject()
  const read = useQuery(foldersIn(workspace_id))
  const { data: folders } = read
  const move = useChange(moveProject)
  return (
    <Section title="Folder" hint="A private folder keeps it from the rest of the workspace. Who may comment can come from its folder.">
      {isMissing(read) ? <Missing what="The folders" of={read} /> : folders === undefined ? <Loading what="the folders"><Skeleton className="h-11 w-36 md:h-9" /></Loading> : <div>
        <Select
          label="Folder" value={folder_id ?? ""}
          onChange={(id) => move.mutate({ slug, title, from: folder_id, to: id === "" ? null : id, name: folders.find((one) => one.id === id)?.name })}
          options={[{ value: "", label: "No folder" }, ...folders.filter((one) => takes(one, owner.id)).map(({ id, name }) => ({ value: id, label: name }))]}
        />
      </div>}
    </Section>
  )
}

const End = () => {
  const project = useProject()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  return (
    <Section title="Delete" hint="Takes the document off the web at once.">
      <div><Button icon="trash" className="text-bad!" onClick={() => setAsked(true)}>Delete project</Button></div>
      <DeleteProject project={project} open={asked} onOpenChange={setAsked} onGone={() => navigate({ to: "/", search: { workspace: project.workspace_id } })} />
    </Section>
  )
}

export const ProjectSettings = () => {
  const { owner, slug } = useProject()
  if (!useMayChange()) return <div className="max-w-3xl"><p className="mb-6 text-muted">{owner.name} and your admins can change how this project is set.</p><CommentAccess mayChange={false} /></div>
  return (
    <div className="max-w-3xl">
      <Address key={slug} />
      <Seen />
      <CommentAccess mayChange />
      <Ends />
      <Kept />
      <End />
    </div>
  )
}
