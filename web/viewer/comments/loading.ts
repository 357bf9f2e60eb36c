/** Asks the service for the comments and for who reads them: of answers that come in another order, what was asked later counts. */
import { Refused } from "./client.ts"
import type { Client } from "./client.ts"
import { button, make } from "./elements.ts"
import type { Reader } from "./reader.ts"
import type { Threads } from "./threads.ts"
import type { You } from "./wire.ts"

export interface LoadingOptions {
  readonly service: Client
  readonly talk: Threads
  readonly who: Reader
  /** Whether nothing can have been missed since the comments were listed. */
  readonly isLive: () => boolean
  /** A list came, with the version that is served now. */
  readonly listed: (version: number, isFirst: boolean) => void
  readonly render: () => void
}

export const loading = ({ isLive, listed, render, service, talk, who }: LoadingOptions) => {
  /** Why there is no list, and what to do about it. */
  const trouble = make("p", { className: "trouble", hidden: true })
  trouble.setAttribute("role", "alert")

  /** The number of the last question to the service, of the last list asked for, of the list shown, and of the question that told who reads. */
  let [asks, begun, latest, told] = [0, 0, 0, 0]
  let underWay = 0
  let isGone = false
  /** What was asked later is more recent, also about who reads. */
  const tell = (mine: number, you: You | null): void => {
    if (mine < told) return
    told = mine
    who.told(you)
  }
  const load = async (): Promise<void> => {
    const [mine, since] = [begun = ++asks, talk.changes()]
    underWay++
    try {
      const { threads, version, you } = await service.list()
      if (mine < latest) return
      const isFirst = latest === 0
      latest = mine
      talk.reset(threads, since)
      tell(mine, you)
      isGone = false
      trouble.hidden = true
      listed(version, isFirst)
    } catch (error) {
      if (mine < latest) return
      // Refused to somebody unknown, it may be open to who is known by now.
      if (mine === begun && mine < told) return load()
      const isOver = error instanceof Refused && error.isShut
      isGone = isOver && (error.status === 404 || error.status === 410)
      const onward = isOver ? button("Reload the page", () => location.reload()) : button("Try again", () => void load())
      trouble.replaceChildren(error instanceof Error ? error.message : "The comments did not arrive.", " ", onward)
      trouble.hidden = false
    } finally {
      underWay--
    }
    render()
  }
  /** Who reads, without listing again what is on its way, or here and cannot have changed unheard. */
  const know = async (): Promise<void> => {
    const isComing = begun === 0 || underWay > 0
    if (!isComing && (latest < begun || !isLive())) return load()
    const mine = ++asks
    const you = await service.whoReads().catch(() => undefined)
    if (you === undefined) return load()
    tell(mine, you)
    render()
    if (begun > 0 && underWay === 0 && latest < begun) return load()
  }
  return {
    trouble,
    load,
    know,
    /** Whether there is no such document any more: nobody comments on it, whoever they are. */
    isGone: (): boolean => isGone
  }
}
