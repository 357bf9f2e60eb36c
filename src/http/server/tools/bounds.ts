/** How much of what others wrote one answer holds, in words and in data alike: an agent reads all of it. */
import { escaped, shortened } from "../../../domain/labels/model.ts"

/** Characters of a page. */
export const PAGE_CHARACTERS = 50_000

/** A longer thread is shortened to its beginning and its last replies, each cut. */
const THREAD_CHARACTERS = 10_000
const LAST_REPLIES = 10
const BODY = 2_000
const REPLY = 500

interface Written {
  readonly body: string
}

interface Thread extends Written {
  readonly replies: ReadonlyArray<Written>
}

export const lengthOf = (value: unknown): number => escaped(JSON.stringify(value)).length

/** Those from the first on that fit; one at least, so that a list goes on. */
export const fitting = <A>(all: ReadonlyArray<A>, characters: number): ReadonlyArray<A> => {
  let left = characters
  const over = all.findIndex((one) => (left -= lengthOf(one)) < 0)
  return over === -1 ? all : all.slice(0, Math.max(1, over))
}

/** Generic: what a thread holds beside its words stays. */
export const inBrief = <T extends Thread>(thread: T) => {
  const { body, replies } = thread
  if (lengthOf(thread) <= THREAD_CHARACTERS) return { ...thread, replyCount: replies.length }
  const last = replies.slice(-LAST_REPLIES).map((reply): T["replies"][number] => ({ ...reply, body: shortened(reply.body, REPLY) }))
  return { ...thread, body: shortened(body, BODY), replies: last, replyCount: replies.length, shortened: true }
}
