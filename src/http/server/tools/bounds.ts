/** How much of what others wrote one answer holds, in words and in data alike: an agent reads all of it. */
import { escaped, shortened } from "../../../domain/labels/model.ts"

/** Characters of a page, as they are sent. */
export const PAGE_CHARACTERS = 50_000

/** What a shortened thread keeps of its first text, how many replies, and what of each. */
const BODY = 2_000
const REPLIES = 10
const REPLY = 500

interface Written {
  readonly body: string
}

interface Thread extends Written {
  readonly replies: ReadonlyArray<Written>
}

/** Characters of an answer. */
export const spentBy = (value: unknown): number => escaped(JSON.stringify(value)).length

/** Those from the first on that fit; `least`, so that a list goes on. */
export const fitting = <A>(all: ReadonlyArray<A>, characters: number, least = 1): ReadonlyArray<A> => {
  let left = characters
  const over = all.findIndex((one) => (left -= spentBy(one)) < 0)
  return over === -1 ? all : all.slice(0, Math.max(least, over))
}

/** One sign may take twelve characters of an answer. */
const within = (text: string, most: number): string => {
  if (spentBy(text) <= most) return text
  let left = most
  const over = [...text].findIndex((sign) => (left -= spentBy(sign) - 2) < 0)
  return over === -1 ? text : shortened(text, over)
}

/** Generic: what a text comes with stays. */
export const begun = <T extends Written>(text: T): T => ({ ...text, body: within(text.body, BODY) })

/** The last replies, in their order; those that are news before the others. */
const kept = <R>(replies: ReadonlyArray<R>, isNews: (reply: R) => boolean): ReadonlyArray<R> => {
  const first = replies.filter(isNews).slice(-REPLIES)
  const rest = replies.filter((reply) => !isNews(reply))
  const all = new Set([...first, ...rest.slice(Math.max(0, rest.length - REPLIES + first.length))])
  return replies.filter((reply) => all.has(reply))
}

const inBrief = <T extends Thread>(thread: T, isNews: (reply: T["replies"][number]) => boolean) =>
  ({ ...begun(thread), replies: kept(thread.replies, isNews).map((reply): T["replies"][number] => ({ ...reply, body: within(reply.body, REPLY) })) })

/** Those from the first on that fit, one at least: whole where that fits what is left, shortened elsewhere. */
export const fittingThreads = <T extends Thread>(threads: ReadonlyArray<T>, characters: number, isNews: (reply: T["replies"][number]) => boolean = () => false) => {
  const shown: Array<T & { readonly replyCount: number; readonly shortened?: true }> = []
  let left = characters
  for (const thread of threads) {
    const counted = { ...thread, replyCount: thread.replies.length }
    const one = spentBy(counted) <= left ? counted : { ...counted, ...inBrief(thread, isNews), shortened: true as const }
    left -= spentBy(one)
    if (left < 0 && shown.length > 0) return shown
    shown.push(one)
  }
  return shown
}
