/** The comments of a document: their panel, their marks, and changes to them made here and elsewhere. */
import "./comments.css"
import { isSamePage } from "../pages.ts"
import type { Anchor, CommentRoom, MountComments } from "../stage.ts"
import { arriving } from "./arriving.ts"
import type { CardParts } from "./card.ts"
import { client } from "./client.ts"
import { drafting } from "./draft.ts"
import { drawer } from "./drawer.ts"
import { button as action, iconButton, make } from "./elements.ts"
import { filters } from "./filters.ts"
import { listing } from "./listing.ts"
import { follow } from "./live.ts"
import { looking } from "./looking.ts"
import { marks } from "./marks.ts"
import { outline } from "./outline.ts"
import { panelFoot } from "./panel-foot.ts"
import { panelKeys } from "./panel-keys.ts"
import { picker } from "./pick.ts"
import { placed } from "./placed.ts"
import { reader } from "./reader.ts"
import { threads } from "./threads.ts"
import type { Filter } from "./threads.ts"
import { leftElsewhere } from "./way-in.ts"
import type { Change, Thread } from "./wire.ts"
import { isGeneral } from "./words.ts"

export const mount: MountComments = ({ aside, base, button, keys, main, proof, stage, version }: CommentRoom) => {
  const service = client({ base, proof, turned: (isKnown) => who.turned(isKnown) })
  const talk = threads()
  const who = reader({ base, client: service, load: () => load(), changed: () => {
    draft.know()
    render()
  } })

  const status = make("p", { className: "said" })
  status.setAttribute("role", "status")
  document.body.append(status)
  const say = (text: string): void => void (status.textContent = text)

  const count = make("span", { className: "count" })
  button.append(count)
  const trouble = make("p", { className: "trouble", hidden: true })
  trouble.setAttribute("role", "alert")
  const choice = filters((name) => show(name))
  const list = make("div", { className: "list", tabIndex: -1 })
  const foot = panelFoot(stage, who, (body, anchor) => post(body, anchor))

  const panel = drawer({
    button,
    aside,
    turned: (open) => {
      stage.pointing?.(open)
      if (!open) {
        looked.away()
        pick.hide()
        return
      }
      render()
      if (who.state() === "unknown") void who.identify()
    }
  })
  aside.replaceChildren(
    panel.handle,
    make("header", {}, make("h2", { textContent: "Comments" }), iconButton("up", "Previous comment ([)", () => step(-1)), iconButton("down", "Next comment (])", () => step(1)), panel.closer),
    choice.element, trouble, list, foot.element
  )

  const isHere = ({ anchor }: Thread): boolean => anchor === null || stage.path === undefined || isSamePage(anchor.path, stage.path())

  let drawing = false
  /** At most once a frame, however much moves. */
  const soon = (): void => {
    if (drawing) return
    drawing = true
    requestAnimationFrame(() => {
      drawing = false
      render()
    })
  }
  const places = placed(stage, soon)
  const signs = marks(main, (id) => id === undefined ? looked.hold(undefined) : reveal(id))
  const looked = looking(signs)
  const draft = drafting({
    places, who,
    post: (body, anchor) => post(body, anchor),
    cancelled: () => {
      render()
      list.focus()
    }
  })
  const levels = outline(list, stage, () => panel.isOpen() && !panel.isNarrow())

  /** Ids of the threads shown: one that is being written in stays, whatever its status, until the reader chooses a filter. */
  let seen: ReadonlySet<string> = new Set()
  const render = (): void => {
    const amounts = talk.amounts()
    count.textContent = amounts.open === 0 ? "" : String(amounts.open)
    button.setAttribute("aria-label", amounts.open === 0 ? "Comments" : `Comments, ${amounts.open} open`)
    choice.update(amounts, talk.filter())
    const gone = cards.keep(talk.has)
    const shown = [...talk.visible((id) => seen.has(id) && cards.isWriting(id)), ...gone]
    seen = new Set(shown.map(({ id }) => id))
    const here = shown.filter((one) => isHere(one) && !isGeneral(one.anchor))
    places.want(here)
    signs.show(new Map(here.flatMap(({ id }) => {
      const place = places.of(id)
      return place === undefined ? [] : [[id, place] as const]
    })))
    if (!panel.isOpen()) return

    const listed = cards.inParts(shown)
    levels.show({
      ...listed,
      placed: [...listed.placed, ...draft.placed()],
      empty: amounts.all === 0 ? `Nobody has said anything yet.${who.onlyReads() ? "" : ` ${stage.hint ?? "Select some words to comment on them, or write below."}`}`
        : talk.filter() === "open" ? "Nothing is open: every comment is resolved." : "None are resolved yet."
    })
    foot.update(draft.isBegun())
    arrival.look()
  }

  const post = async (body: string, anchor: Anchor | undefined): Promise<void> => {
    const made = await service.post({ body, anchor })
    talk.put(made)
    talk.lookFor({ status: "open" })
    draft.posted(body, anchor)
    render()
    say("Comment posted")
    const focus = document.activeElement
    // The comment is sent; its words may be found only later, since a file may still be loading. A reader who has moved
    // the focus elsewhere meanwhile is not called back.
    void places.settled().then(() => document.activeElement === focus && reveal(made.id))
  }
  /** Something was done in a card, which may have removed it from the list. */
  const renderAfter = (id: string): void => {
    const element = cards.element(id)
    render()
    if (element?.isConnected !== true) list.focus()
  }
  const parts: CardParts = {
    client: service,
    version,
    wayOn: who.wayOn,
    you: who.you,
    edited: async (id, body) => {
      talk.put(await service.edit(id, body))
      render()
      say("Saved")
    },
    removed: async (id) => {
      await service.remove(id)
      cards.drop(id)
      take(id)
      say("Deleted")
      list.focus()
    },
    reply: async (parentId, body) => {
      talk.put(await service.post({ body, parentId }))
      render()
      say("Reply posted")
    },
    settle: async (id, status) => {
      talk.put(await service.settle(id, status))
      say(status === "resolved" ? "Resolved" : "Open again")
      renderAfter(id)
    },
    jump: (id) => jump(id),
    hover: looked.hover,
    hold: looked.hold,
    closed: (id) => renderAfter(id)
  }
  const cards = listing(parts, places, isHere)
  const take = (id: string): void => {
    talk.take(id)
    render()
  }

  const jump = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    if (isHere(thread)) return looked.goTo(id, places.of(id))
    arrival.leave(id)
    stage.go?.(thread.anchor!.path)
  }
  /** Shows a thread's card, reached from its mark or from a neighbouring card. */
  const reveal = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    talk.lookFor(thread)
    panel.open()
    render()
    const element = cards.element(id)
    element?.focus({ preventScroll: true })
    levels.near(element)
    looked.hold(id)
  }
  const arrival = arriving({ has: talk.has, reveal, jump, isFound: (id) => places.of(id)?.top() !== undefined })
  const step = (by: 1 | -1): void => {
    panel.open()
    const elements = [...list.querySelectorAll<HTMLElement>(".thread:not(.draft)")]
    const at = elements.findIndex((one) => one.contains(document.activeElement))
    const next = elements[at === -1 ? (by === 1 ? 0 : elements.length - 1) : at + by]
    const id = next?.id.slice("comment-".length)
    if (next === undefined || id === undefined) return
    if (places.of(id) !== undefined) jump(id)
    next.focus({ preventScroll: true })
    levels.near(next)
  }
  const show = (name: Filter): void => {
    seen = new Set()
    talk.look(name)
    render()
  }

  const start = (anchor: Anchor): void => {
    const element = draft.begin(anchor)
    panel.open()
    render()
    void who.identify().then(() => {
      if (!draft.fill(element)) return
      render()
      levels.near(element)
      const first = element.querySelector<HTMLElement>("textarea,a")
      first?.focus({ preventScroll: true })
    })
  }
  const pick = picker((anchor) => start(anchor), () => stage.scrolled?.() ?? scrollY)
  stage.onCapture((anchor, at) => pick.show(anchor?.time !== undefined && !panel.isOpen() ? undefined : anchor, at))
  stage.onOpen?.((anchor) => {
    const thread = talk.visible().find((one) => one.anchor !== null && JSON.stringify({ ...one.anchor, where: "" }) === JSON.stringify({ ...anchor, where: "" }))
    if (thread !== undefined) reveal(thread.id)
  })
  const followed = (event: Event): void => {
    if (event.target === list) return
    // A scroll within a table or a list of pages moves what was picked by another distance than the window's own scroll.
    if (event.type === "scroll") pick.follow(event.target === document || stage.path !== undefined)
    levels.follow()
    signs.follow()
  }
  for (const name of ["scroll", "places"]) addEventListener(name, followed, { capture: true, passive: true })

  let [asks, latest] = [0, 0]
  const load = async (): Promise<void> => {
    const [mine, since] = [++asks, talk.changes()]
    try {
      const listed = await service.list()
      // A list that was asked for later is here already and more recent, also about who reads.
      if (mine < latest) return
      latest = mine
      talk.reset(listed.threads, since)
      who.told(listed.you)
      trouble.hidden = true
      arrival.listed()
    } catch (error) {
      if (mine < latest) return
      trouble.replaceChildren(error instanceof Error ? error.message : "The comments did not arrive.", " ", action("Try again", () => void load()))
      trouble.hidden = false
    }
    render()
  }

  const changed = ({ comment, id, kind, thread_id: threadId }: Change): void => {
    const before = talk.get(threadId)
    const isNew = kind === "created" && before?.replies.some((one) => one.id === id) !== true && !(before !== undefined && id === threadId)
    if (comment === null) return take(threadId)
    talk.put(comment)
    render()
    const author = (id === threadId ? comment : comment.replies.find((one) => one.id === id))?.author
    if (isNew && author !== undefined && author.id !== who.you()?.id) say(id === threadId ? `New comment by ${author.name}` : `${author.name} replied`)
  }

  panelKeys({ keys, panel, pick, stage, start, step })
  // Times are shown in words, which go out of date.
  setInterval(() => panel.isOpen() && render(), 60_000)
  addEventListener("focus", () => who.state() !== "somebody" && panel.isOpen() && void who.identify())
  follow({ changed, anew: () => void load() })

  const goOn = (): void => {
    const anchor = draft.kept()
    if (anchor === undefined) panel.open()
    else start(anchor)
  }
  const typed = draft.typed().find(({ path }) => stage.path === undefined || isSamePage(path, stage.path()))
  if (who.wasAway()) goOn()
  // A reader who may no longer comment keeps the text and goes on reading.
  else if (typed !== undefined) void who.identify().then(() => who.onlyReads() || start(typed))
  // The reader may have signed in from another window; one who is still not signed in goes on reading undisturbed.
  else if (leftElsewhere()) void who.identify().then(() => who.state() === "somebody" && goOn())
}
