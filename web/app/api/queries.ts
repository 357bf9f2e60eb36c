/**
 * The keys of everything that is cached, and the one idiom for changing it. A slice's file beside this one has its
 * reads (`queryOptions`) and its changes (`Change`): screens say `useQuery(projectOf(slug))` and
 * `useChange(renameProject)`.
 */
import { hashKey, QueryCache, QueryClient, useMutation, useQueryClient } from "@tanstack/react-query"
import type { QueryKey } from "@tanstack/react-query"
import { announce } from "../ui/announce.ts"
import { useHere } from "../ui/here.ts"
import { audience, toast } from "../ui/toasts.ts"
import { freshKey, once } from "./once.ts"
import type { Key } from "./once.ts"
import { asRefusal, Refusal, refusedHere } from "./refusal.ts"

/** Each key begins with its slice: invalidating `keys.projects` reaches every list of them. */
export const keys = {
  me: ["me"],
  waysIn: ["waysIn"],
  agentClients: ["agentClients"],
  invitation: ["invitation"],
  device: (code: string) => ["device", code],
  consent: (request: object) => ["consent", request],
  projects: ["projects"],
  projectLists: ["projects", "list"],
  projectList: (workspace: string | undefined, filter: object) => ["projects", "list", workspace ?? null, filter],
  project: (slug: string) => ["projects", "one", slug],
  available: (workspace: string, slug: string) => ["projects", "available", workspace, slug],
  missing: (slug: string, id: string, version: number) => ["projects", "one", slug, "missing", id, version],
  comparison: (slug: string, id: string, from: number, to: number) => ["projects", "one", slug, "compare", id, from, to],
  shareLinks: (slug: string) => ["shareLinks", slug],
  comments: (slug: string) => ["comments", slug],
  notifications: (slug: string) => ["comments", slug, "notifications"],
  analytics: (slug: string, days?: number) => days === undefined ? ["analytics", slug] : ["analytics", slug, days],
  allFolders: ["folders"],
  folders: (workspace: string | undefined) => ["folders", workspace ?? null],
  allowlists: ["allowlists"],
  allowlist: (of: "project" | "folder" | "workspace", id: string) => ["allowlists", of, id],
  workspace: (id: string) => ["workspace", id],
  workspaceImpact: (id: string) => ["workspace", id, "deletionImpact"],
  members: (workspace: string) => ["members", workspace],
  invites: (workspace: string) => ["invites", workspace],
  plans: ["billing", "plans"],
  subscription: (workspace: string) => ["billing", "subscription", workspace],
  exports: (workspace: string) => ["exports", workspace],
  audit: (workspace: string) => ["audit", workspace],
  deletionImpact: ["account", "deletionImpact"],
  tokens: ["tokens"],
  grants: ["grants"]
} as const satisfies Record<string, QueryKey | ((...args: never) => QueryKey)>

interface Heard {
  /** Of every read that fails, including those in the background. */
  readonly refused: (error: Error, key: QueryKey) => void
  /** Of every one that succeeds. */
  readonly read: (key: QueryKey) => void
}

export const makeQueryClient = ({ read, refused }: Heard): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error, { queryKey }) => refused(error, queryKey), onSuccess: (_, { queryKey }) => read(queryKey) }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A refusal is an answer; only failures that may pass are retried.
        retry: (count, error) => count < 2 && error instanceof Refusal && error.passing && !error.offline,
        networkMode: "always",
        // What was shown while nothing could be read may be old.
        refetchOnReconnect: true
      },
      mutations: { retry: false, networkMode: "always" }
    }
  })

/** What a key shows before the answer comes: a patch of what is there. */
export interface Patch {
  readonly key: QueryKey
  // oxlint-disable-next-line typescript/no-explicit-any -- a key does not carry the type of what it names
  readonly with: (shown: any) => unknown
}

export interface Change<Input, Output = unknown> {
  readonly send: (input: Input) => Promise<Output>
  /** Shown at once, and taken back if refused. Exact keys; what is not loaded stays so. */
  readonly shows?: (input: Input) => ReadonlyArray<Patch>
  /** The key prefixes that are read again afterwards. Of a change that was refused, what it was about may be gone. */
  readonly settles: (input: Input, isRefused: boolean) => ReadonlyArray<QueryKey>
  /** Shown in a toast and announced to screen readers. */
  readonly says?: (output: Output, input: Input) => string
  /** Announced to screen readers alone: the screen itself shows it to everybody else. */
  readonly tells?: string
  /** Reverses this change; with it, the toast offers "Undo". */
  readonly undo?: (input: Input, output: Output, header: Key) => Promise<unknown>
}

/** Of what takes an idempotency key: tried again with the same input in the same place, it is done once. */
export interface ChangeOnce<Input, Output = unknown> extends Omit<Change<Input, Output>, "send"> {
  /** Where it is made, as the key for `anew`. */
  readonly place: (input: Input) => string
  readonly send: (input: Input, header: Key) => Promise<Output>
}

/** What a key shows ahead of answers: the data from before, and upon it, in order, the patches of changes under way. */
interface Ahead {
  readonly before: unknown
  readonly patches: ReadonlyArray<Patch>
}

/** By the hash of its key. Read again in between, it would lack a change that is already shown: only the last change under way reads it. */
const ahead = new Map<string, Ahead>()

/** What was shown to one person is not put back for the next. */
export const forgetAhead = (): void => ahead.clear()

const isAhead = (key: QueryKey): boolean => ahead.has(hashKey(key))

const begin = (client: QueryClient, patch: Patch): void => {
  const { before, patches } = ahead.get(hashKey(patch.key)) ?? { before: client.getQueryData(patch.key), patches: [] }
  if (before !== undefined) ahead.set(hashKey(patch.key), { before, patches: [...patches, patch] })
}

/** A successful patch becomes part of the data; after a refusal, the other patches are shown without it. */
const end = (client: QueryClient, patch: Patch, kept: boolean): void => {
  const { before, patches } = ahead.get(hashKey(patch.key)) ?? { before: undefined, patches: [] }
  if (!patches.includes(patch)) return
  const others = patches.filter((one) => one !== patch)
  const stands = kept ? patch.with(before) : before
  if (others.length === 0) ahead.delete(hashKey(patch.key))
  else ahead.set(hashKey(patch.key), { before: stands, patches: others })
  if (!kept) client.setQueryData(patch.key, others.reduce((shown, one) => one.with(shown), stands))
}

/** The last change under way of what is shown before it is made, by the hash of that key. */
const underWay = new Map<string, Promise<unknown>>()

/** Changes of the same thing wait for one another: sent at once, the one chosen first could arrive last, and stay. */
const inTurn = async <Output>([patch]: ReadonlyArray<Patch>, send: () => Promise<Output>): Promise<Output> => {
  if (patch === undefined) return send()
  const key = hashKey(patch.key)
  const mine = (underWay.get(key) ?? Promise.resolve()).then(send)
  const over = mine.then(() => undefined, () => undefined)
  underWay.set(key, over)
  void over.then(() => underWay.get(key) === over && underWay.delete(key))
  return mine
}

/** Invalidating only joins a first read that is under way, which may have been answered before the change: such a query is read again after it. */
const readAnew = async (client: QueryClient, settled: ReadonlyArray<QueryKey>): Promise<void> => {
  const invalidate = (queryKey: QueryKey, exact = false) => client.invalidateQueries({ queryKey, exact, predicate: (query) => !isAhead(query.queryKey) })
  const first = settled.flatMap((queryKey) =>
    client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching", predicate: ({ state }) => state.data === undefined }))
  await Promise.all(settled.map((queryKey) => invalidate(queryKey)))
  await Promise.all(first.map(async ({ promise, queryKey }) => {
    await promise?.catch(() => undefined)
    await invalidate(queryKey, true)
  }))
}

/** Refused for a plan that has ended or a role that was changed: the page was drawn for what they were before. */
export const standingAnew = async (client: QueryClient, error: unknown): Promise<void> => {
  if (error instanceof Refusal && (error.status === 402 || error.status === 403)) await client.invalidateQueries({ queryKey: keys.me })
}

interface Told {
  /** The screen shows refusals itself, beside its fields; otherwise, and once it has been left, they are toasts. */
  readonly quiet?: boolean
  /** What the toast says for somebody who has left it: what was not done. */
  readonly left?: (refusal: Refusal) => string
}

export const useChange = <Input, Output>(change: Change<Input, Output> | ChangeOnce<Input, Output>, { left = ({ message }) => message, quiet = false }: Told = {}) => {
  const client = useQueryClient()
  const here = useHere()
  const settle = (input: Input, isRefused = false) => readAnew(client, change.settles(input, isRefused))
  return useMutation<Output, Error, Input, { readonly patches: ReadonlyArray<Patch>; readonly told: number }>({
    mutationFn: (input) => {
      const told = audience()
      return inTurn(change.shows?.(input) ?? [], () => {
        // It waited, and would be done in the name of whoever signed in meanwhile.
        if (told !== audience()) throw refusedHere("conflict", "Somebody else is signed in by now. Nothing was done.")
        return "place" in change ? once(change.place(input), input, (header) => change.send(input, header)) : change.send(input)
      })
    },
    onMutate: async (input) => {
      const told = audience()
      const patches = change.shows?.(input) ?? []
      for (const patch of patches) begin(client, patch)
      await Promise.all(patches.map(({ key }) => client.cancelQueries({ queryKey: key })))
      for (const patch of patches) client.setQueryData(patch.key, (shown: unknown) => shown === undefined ? undefined : patch.with(shown))
      return { patches, told }
    },
    onError: (error, _input, begun) => {
      for (const patch of begun?.patches ?? []) end(client, patch, false)
      if (!quiet && begun?.told === audience()) toast({ text: asRefusal(error).message, tone: "bad" })
    },
    onSuccess: (output, input, { patches, told }) => {
      for (const patch of patches) end(client, patch, true)
      // Another account has the screen by now, in whose name "Undo" would be done.
      if (told !== audience()) return
      const { tells, undo } = change
      if (tells !== undefined) announce(tells)
      const text = change.says?.(output, input)
      if (text === undefined) return
      if (undo === undefined) toast({ text })
      else {
        toast({
          text,
          undo: () =>
            void undo(input, output, freshKey()).then(
              () => announce("Undone"),
              (error: unknown) => toast({ text: asRefusal(error).message, tone: "bad" })
            ).finally(() => settle(input))
        })
      }
    },
    onSettled: async (_output, error, input, begun) => {
      // A reader who was signed out meanwhile keeps what they typed: reading again would lead to the sign-in.
      if (!(error instanceof Refusal && error.signedOut)) await Promise.all([settle(input, error !== null), standingAnew(client, error)])
      if (error === null || !quiet) return
      // Once what was read is drawn: a row that is gone elsewhere is gone here.
      setTimeout(() => !here.current && begun?.told === audience() && toast({ text: left(asRefusal(error)), tone: "bad" }))
    }
  })
}
