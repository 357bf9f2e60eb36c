/** What is done to comments: here, then it is sent and shown as the service now has it; or elsewhere. Either way it is said. */
import type { Anchor } from "../stage.ts"
import type { CardParts } from "./card.ts"
import type { Client } from "./client.ts"
import type { Drafting } from "./draft.ts"
import { waits } from "./elements.ts"
import type { Going } from "./going.ts"
import type { Cards } from "./listing.ts"
import type { Looking } from "./looking.ts"
import type { Places } from "./placed.ts"
import type { Reader } from "./reader.ts"
import type { Threads } from "./threads.ts"
import type { Change } from "./wire.ts"

export interface DoingOptions {
  readonly service: Client
  readonly version: number
  readonly read: () => number | undefined
  readonly who: Reader
  readonly talk: Threads
  readonly places: Places
  readonly looked: Looking
  readonly draft: Drafting
  /** Made with what this makes, so asked for only once something is done. */
  readonly cards: () => Cards
  readonly go: () => Going
  readonly render: () => void
  readonly say: (text: string) => void
}

export const doing = ({ cards, draft, go, looked, places, read, render, say, service, talk, version, who }: DoingOptions) => {
  const post = async (body: string, anchor: Anchor | undefined, as: string | undefined): Promise<void> => {
    const isHere = waits()
    const made = await service.post({ body, anchor, as, version: read() })
    talk.put(made)
    talk.lookFor({ status: "open" })
    draft.posted(body, anchor)
    render()
    say("Comment posted")
    // The comment is sent; its words may be found only later, since a file may still be loading.
    void places.settled().then(() => isHere() && go().reveal(made.id))
  }
  const take = (id: string): void => {
    talk.take(id)
    render()
  }
  const parts: CardParts = {
    client: service,
    version,
    who,
    you: who.you,
    edited: async (id, body, as) => {
      const since = talk.changes()
      talk.put(await service.edit(id, body, as), since)
      render()
      say("Saved")
    },
    removed: async (id) => {
      const left = go().leaving(id)
      await service.remove(id)
      cards().drop(id)
      take(id)
      say("Deleted")
      left()
    },
    reply: async (parentId, body, as) => {
      talk.put(await service.post({ as, body, parentId }))
      render()
      say("Reply posted")
    },
    settle: async (id, status) => {
      const [since, left] = [talk.changes(), go().leaving(id)]
      talk.put(await service.settle(id, status), since)
      say(status === "resolved" ? "Resolved" : "Open again")
      render()
      left()
    },
    jump: (id) => go().jump(id),
    hover: looked.hover,
    hold: looked.hold,
    closed: (id) => {
      const left = go().leaving(id)
      render()
      left()
    },
    unfolded: render
  }
  /** Somebody did it, perhaps this reader. */
  const heard = ({ comment, id, kind, thread_id: threadId }: Change): void => {
    const before = talk.get(threadId)
    const isNew = kind === "created" && before?.replies.some((one) => one.id === id) !== true && !(before !== undefined && id === threadId)
    if (comment === null) return take(threadId)
    talk.put(comment)
    render()
    const author = (id === threadId ? comment : comment.replies.find((one) => one.id === id))?.author
    if (isNew && author !== undefined && author.id !== who.you()?.id) say(id === threadId ? `New comment by ${author.name}` : `${author.name} replied`)
  }
  return { post, parts, heard }
}
