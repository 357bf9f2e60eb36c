/** Ctrl K: projects and folders by name, and every command that is registered. Loaded when it is first asked for. */
import * as Dialog from "@radix-ui/react-dialog"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Command, defaultFilter } from "cmdk"
import { useEffect, useRef, useState } from "react"
import type { ReactNode } from "react"
import { foldersIn, foldersNamed } from "../api/folders.ts"
import { projectsNamed } from "../api/projects.ts"
import { asRefusal } from "../api/refusal.ts"
import { Icon } from "../ui/icon.tsx"
import { plain } from "../ui/plain.ts"
import { useTyped } from "../ui/typed.ts"
import { wayBack } from "../ui/way-back.ts"
import { setPaletteOpen, usePaletteOpen, useRegistered } from "./commands.ts"
import { useSession } from "./session.ts"

const row = "flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 data-[selected=true]:tint md:min-h-10"
const group = "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:text-muted"

/** Closes the palette first, so that what it opens finds the focus where it was before and can return it there. */
type Choose = (run: () => void) => void

/** So many of each kind; a row leads to the rest. */
const FEW = 8

const isExactly = (name: string, query: string): boolean => plain(name) === plain(query.trim())

const exactFirst = <One,>(all: ReadonlyArray<One>, query: string, namesOf: (one: One) => ReadonlyArray<string>): ReadonlyArray<One> => {
  const isFirst = (one: One) => namesOf(one).some((name) => isExactly(name, query))
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))]
}

/** Ranked lower, the letters only stand somewhere in its words, with several gaps: to somebody who seeks a "report", that is not "Export the workspace". */
const MEANT = 0.05

/** An item is called by its keywords, and what is called exactly that comes first. */
const rank = (value: string, query: string, words: Array<string> = []): number => {
  const found = words.some((word) => isExactly(word, query)) ? 2 : defaultFilter(plain(value), plain(query), words.map(plain))
  return found < MEANT ? 0 : found
}

/** Mounted whatever is typed, cmdk gives it no rank: it stays the last row of its group. */
const Rest = ({ children, choose, query }: { readonly query: string; readonly choose: Choose; readonly children: ReactNode }) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  return (
    <Command.Item forceMount className={row} onSelect={() => choose(() => void navigate({ to: "/", search: { q: query, workspace: workspace?.id } }))}>
      <Icon name="find" className="shrink-0 text-muted" /><span className="truncate">{children}</span>
    </Command.Item>
  )
}

const Folders = ({ choose, query }: { readonly query: string; readonly choose: Choose }) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const { data = [] } = useQuery(foldersIn(workspace?.id))
  const named = query === "" ? [] : exactFirst(foldersNamed(data, query), query, ({ name }) => [name])
  return named.length > 0 && (
    <Command.Group heading="Folders" className={group}>
      {named.slice(0, FEW).map(({ id, name, sharing }) => (
        <Command.Item key={id} value={`folder ${id}`} keywords={[name]} className={row} onSelect={() => choose(() => void navigate({ to: "/", search: { folder: id, workspace: workspace?.id } }))}>
          <Icon name={sharing === "private" ? "lock" : "folder"} className="shrink-0 text-muted" /><span className="written truncate">{name}</span>
        </Command.Item>
      ))}
      {named.length > FEW && <Rest query={query} choose={choose}>All {named.length} folders for “{query}”</Rest>}
    </Command.Group>
  )
}

/** `typed` is ahead of `query` for a moment. */
const Projects = ({ arrived, choose, query, typed }: { readonly query: string; readonly typed: string; readonly choose: Choose; readonly arrived: () => void }) => {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const { data, error } = useQuery(projectsNamed(workspace?.id, query))
  const named = data?.projects ?? []
  const found = query === "" ? named.slice(0, 5) : exactFirst(named, query, ({ slug, title }) => [slug, title]).slice(0, FEW)
  const isPart = query !== "" && (named.length > FEW || (data?.next_cursor ?? null) !== null)
  const answer = query === typed ? data : undefined
  useEffect(() => {
    // By then they are sorted in among the commands.
    const next = answer === undefined ? undefined : requestAnimationFrame(arrived)
    return () => next === undefined ? undefined : cancelAnimationFrame(next)
  }, [answer])
  const none = query !== typed || (data === undefined && error === null) ? "Looking…" : data === undefined ? `The projects did not arrive. ${asRefusal(error).message}` : "Nothing is called that."
  return (
    <>
      <Command.Empty className="px-3 py-6 text-center text-muted">{none}</Command.Empty>
      {found.length > 0 && (
        <Command.Group heading="Projects" className={group}>
          {found.map(({ kind, slug, title }) => (
            <Command.Item
              key={slug} value={`project ${slug} ${title}`} keywords={[slug, title]} className={row}
              onSelect={() => choose(() => void navigate({ to: "/projects/$slug", params: { slug } }))}
            >
              <Icon name={kind ?? "empty"} className="shrink-0 text-muted" />
              {/* Beneath one another on a phone. */}
              <span className="flex min-w-0 flex-1 items-center gap-3 max-sm:grid max-sm:gap-0 max-sm:py-1.5">
                <span className="written truncate text-left">{title}</span>
                <span className="truncate font-mono text-tiny text-muted sm:ml-auto sm:max-w-[40%] sm:shrink-0">{slug}</span>
              </span>
            </Command.Item>
          ))}
          {isPart && <Rest query={query} choose={choose}>All results for “{query}”</Rest>}
        </Command.Group>
      )}
    </>
  )
}

const Opened = ({ children, onClosed }: { readonly children: ReactNode; readonly onClosed: () => void }) => {
  const [back] = useState(wayBack)
  return (
    <Dialog.Content
      aria-describedby={undefined} onCloseAutoFocus={(event) => (event.preventDefault(), back(), onClosed())}
      className="rise fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-xl overflow-hidden rounded-sheet bg-sheet shadow-float"
    >
      {children}
    </Dialog.Content>
  )
}

const Searching = ({ choose }: { readonly choose: Choose }) => {
  const [query, setQuery] = useState("")
  const [typed, type] = useTyped(query, setQuery)
  const [selected, select] = useState("")
  const rows = useRef<HTMLDivElement>(null)
  /** Since it was typed, so that what arrives late leaves the choice alone. */
  const moved = useRef(false)
  const arrived = () => {
    const first = rows.current?.querySelector<HTMLElement>("[cmdk-item]")?.dataset["value"]
    if (!moved.current && first !== undefined) select(first)
  }
  const move = () => {
    moved.current = true
  }
  return (
    <Command label="Search and commands" filter={rank} value={selected} onValueChange={select} onKeyDown={({ ctrlKey, key }) => (ctrlKey || /^(?:Arrow|Home|End)/.test(key)) && move()}>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Icon name="find" className="shrink-0 text-muted" />
        <Command.Input
          value={typed} placeholder="Find a project, or do something" className="min-h-13 w-full bg-transparent text-body outline-none placeholder:text-muted"
          onValueChange={(text) => {
            moved.current = false
            type(text)
          }}
        />
      </div>
      <Command.List ref={rows} onPointerMove={move} className="max-h-[min(420px,60vh)] overflow-y-auto p-1.5">
        <Projects query={query} typed={typed.trim()} choose={choose} arrived={arrived} />
        <Folders query={query} choose={choose} />
        <Command.Group heading="Commands" className={group}>
          {[...useRegistered().values()].map(({ icon, id, name, run, words = [] }) => (
            <Command.Item key={id} value={`=${id}`} keywords={[name, ...words]} className={row} onSelect={() => choose(run)}>
              <Icon name={icon} className="shrink-0 text-muted" />{name}
            </Command.Item>
          ))}
        </Command.Group>
      </Command.List>
    </Command>
  )
}

const Palette = () => {
  const chosen = useRef<() => void>(undefined)
  const choose: Choose = (run) => {
    chosen.current = run
    setPaletteOpen(false)
  }
  const closed = () => {
    chosen.current?.()
    chosen.current = undefined
  }
  return (
    <Dialog.Root open={usePaletteOpen()} onOpenChange={setPaletteOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className="fade fixed inset-0 z-40 bg-[rgb(28_27_25/.38)]" />
        <Opened onClosed={closed}>
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          <Searching choose={choose} />
        </Opened>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

export default Palette
