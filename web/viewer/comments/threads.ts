/** The threads of a document as this reader knows them, and the filter: open, resolved or all. */
import type { Reply, Thread } from "./wire.ts"

export const FILTERS = ["open", "resolved", "all"] as const
export type Filter = (typeof FILTERS)[number]

export const threads = () => {
  const known = new Map<string, Thread>()
  /** The number of the change by which each was last put or removed. */
  const touched = new Map<string, number>()
  let changes = 0
  const touch = (id: string): void => void touched.set(id, ++changes)
  let filter: Filter = "open"

  return {
    get: (id: string) => known.get(id),
    has: (id: string) => known.has(id),
    /** `isHeld`: shown whatever their status is. */
    visible: (isHeld: (thread: Thread) => boolean = () => false): ReadonlyArray<Thread> =>
      [...known.values()].filter((one) => filter === "all" || one.status === filter || isHeld(one)),
    filter: () => filter,
    look: (next: Filter): void => void (filter = next),
    /** Switches the filter where it would hide threads of this status. */
    lookFor: ({ status }: Pick<Thread, "status">): void => {
      if (filter !== "all") filter = status
    },
    amounts: (): Readonly<Record<Filter, number>> => {
      const open = [...known.values()].filter(({ status }) => status === "open").length
      return { open, resolved: known.size - open, all: known.size }
    },
    changes: () => changes,
    /** Takes a listing; threads changed after it was asked for stay as they are. */
    reset: (listed: ReadonlyArray<Thread>, since: number): void => {
      const isNewer = (id: string): boolean => (touched.get(id) ?? 0) > since
      for (const id of [...known.keys()]) if (!isNewer(id)) known.delete(id)
      for (const thread of listed) if (!isNewer(thread.id)) known.set(thread.id, thread)
    },
    /**
     * Adds what was made or changed; a reply whose thread is gone is dropped. `since`: when a change was asked for whose answer this is;
     * replies that came after that stay.
     */
    put: (made: Thread | Reply, since = Infinity): void => {
      const thread = "parent_id" in made ? known.get(made.parent_id) : made
      if (thread === undefined) return
      const newer = (touched.get(thread.id) ?? 0) > since ? known.get(thread.id) : undefined
      touch(thread.id)
      if (!("parent_id" in made) && newer !== undefined) return void known.set(made.id, { ...made, replies: newer.replies })
      if (!("parent_id" in made)) return void known.set(made.id, made)
      const replies = thread.replies.some(({ id }) => id === made.id)
        ? thread.replies.map((one) => one.id === made.id ? made : one) : [...thread.replies, made]
      known.set(thread.id, { ...thread, replies })
    },
    take: (id: string): void => {
      touch(id)
      known.delete(id)
      for (const thread of known.values()) {
        if (!thread.replies.some((one) => one.id === id)) continue
        touch(thread.id)
        known.set(thread.id, { ...thread, replies: thread.replies.filter((one) => one.id !== id) })
      }
    }
  }
}

export type Threads = ReturnType<typeof threads>
