/** The threads of a document as this reader knows them, and which of them are looked at: the open, the resolved, or all. */
import type { Reply, Thread } from "./wire.ts"

export const FILTERS = ["open", "resolved", "all"] as const
export type Filter = (typeof FILTERS)[number]

export const threads = () => {
  const known = new Map<string, Thread>()
  let filter: Filter = "open"

  return {
    get: (id: string) => known.get(id),
    has: (id: string) => known.has(id),
    visible: (): ReadonlyArray<Thread> => [...known.values()].filter(({ status }) => filter === "all" || status === filter),
    filter: () => filter,
    look: (next: Filter): void => void (filter = next),
    /** Of one status at least, so that it is among the visible. */
    lookFor: ({ status }: Pick<Thread, "status">): void => {
      if (filter !== "all") filter = status
    },
    amounts: (): Readonly<Record<Filter, number>> => {
      const open = [...known.values()].filter(({ status }) => status === "open").length
      return { open, resolved: known.size - open, all: known.size }
    },
    reset: (listed: ReadonlyArray<Thread>): void => {
      known.clear()
      for (const thread of listed) known.set(thread.id, thread)
    },
    /** Made or changed; a reply whose thread went meanwhile goes with it. */
    put: (made: Thread | Reply): void => {
      if (!("parent_id" in made)) return void known.set(made.id, made)
      const thread = known.get(made.parent_id)
      if (thread === undefined) return
      const replies = thread.replies.some(({ id }) => id === made.id)
        ? thread.replies.map((one) => one.id === made.id ? made : one) : [...thread.replies, made]
      known.set(thread.id, { ...thread, replies })
    },
    take: (id: string): void => {
      known.delete(id)
      for (const thread of known.values()) {
        if (thread.replies.some((one) => one.id === id)) known.set(thread.id, { ...thread, replies: thread.replies.filter((one) => one.id !== id) })
      }
    }
  }
}
