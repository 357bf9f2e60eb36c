/** The comments of a document: their panel, their marks, and changes to them made here and elsewhere. */
import "./comments.css"
import { isSamePage } from "../pages.ts"
import type { Anchor, CommentRoom, MountComments } from "../stage.ts"
import { hasWords } from "./card.ts"
import { client } from "./client.ts"
import { doing } from "./doing.ts"
import { drafting } from "./draft.ts"
import { drawer } from "./drawer.ts"
import { iconButton, make } from "./elements.ts"
import { filters } from "./filters.ts"
import { going } from "./going.ts"
import { kept, keptUnder } from "./keeping.ts"
import { listing } from "./listing.ts"
import { follow } from "./live.ts"
import { loading } from "./loading.ts"
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
import type { Thread } from "./wire.ts"
import { countText, isGeneral } from "./words.ts"

export const mount: MountComments = ({ aside, base, button, keys, main, newer, proof, read, stage, version }: CommentRoom) => {
  const service = client({ base, proof, turned: (isKnown) => who.turned(isKnown) })
  const talk = threads()
  const who = reader({ base, client: service, load: () => know(), changed: () => {
    draft.know()
    render()
  } })
  const { isGone, know, load, trouble } = loading({
    service, talk, who,
    isLive: () => isLive(),
    render: () => render(),
    listed: (newest, isFirst) => {
      published(newest)
      go.arrival.listed()
      if (isFirst) goBack()
    }
  })

  const status = make("p", { className: "said" })
  status.setAttribute("role", "status")
  document.body.append(status)
  const say = (text: string): void => void (status.textContent = text)

  const count = make("span", { className: "count" })
  button.append(count)
  const choice = filters((name) => show(name))
  const list = make("div", { className: "list", tabIndex: -1 })
  const foot = panelFoot(stage, who, (body, anchor, as) => post(body, anchor, as))

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
    make("header", {}, panel.heading, iconButton("up", "Previous comment ([)", () => go.step(-1)), iconButton("down", "Next comment (])", () => go.step(1)), panel.closer),
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
  const signs = marks(main, (id) => id === undefined ? looked.hold(undefined) : go.reveal(id))
  const looked = looking(signs)
  const draft = drafting({
    places, who,
    post: (body, anchor, as) => post(body, anchor, as),
    cancelled: () => {
      render()
      list.focus()
    }
  })
  const levels = outline(list, stage, () => panel.isOpen() && !panel.isNarrow(), ({ id }) => cards.fill(id.slice("comment-".length)))

  /** Ids of the threads shown: one that is being written in stays, whatever its status, until the reader chooses a filter. */
  let seen: ReadonlySet<string> = new Set(keptUnder("reply "))
  const render = (): void => {
    const amounts = talk.amounts()
    count.textContent = countText(amounts.open)
    button.setAttribute("aria-label", amounts.open === 0 ? "Comments" : `Comments, ${amounts.open} open`)
    choice.update(amounts, talk.filter())
    const gone = cards.keep(talk.has)
    const shown = [...talk.visible((one) => seen.has(one.id) && (cards.isWriting(one.id) || hasWords(one, service.now()))), ...gone]
    if (amounts.all > 0) seen = new Set(shown.map(({ id }) => id))
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
      empty: isGone() ? "" : amounts.all === 0 ? `Nobody has said anything yet.${who.onlyReads() ? "" : ` ${stage.hint ?? "Select some words to comment on them, or write below."}`}`
        : talk.filter() === "open" ? "Nothing is open: every comment is resolved." : "None are resolved yet."
    })
    foot.update(draft.isBegun(), isGone())
    go.arrival.look()
  }

  const { heard, parts, post } = doing({ service, version, read, who, talk, places, looked, draft, render, say, cards: () => cards, go: () => go })
  const cards = listing(parts, places, isHere)
  const go = going({ talk, places, cards, looked, levels, list, stage, isHere, render, openPanel: () => panel.open() })
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
  stage.onLayout(pick.again)
  stage.onOpen?.((anchor) => {
    const thread = talk.visible().find((one) => one.anchor !== null && JSON.stringify({ ...one.anchor, where: "" }) === JSON.stringify({ ...anchor, where: "" }))
    if (thread !== undefined) go.reveal(thread.id)
  })
  const followed = (event: Event): void => {
    if (event.target === list) return
    // A scroll within a table or a list of pages moves what was picked by another distance than the window's own scroll.
    if (event.type === "scroll") pick.follow(event.target === document || stage.path !== undefined)
    levels.follow()
    signs.follow()
  }
  for (const name of ["scroll", "places"]) addEventListener(name, followed, { capture: true, passive: true })

  let known = version
  /** Told once for each: a reader may go on with theirs. */
  const published = (newest: number): void => {
    if (!(newest > known)) return
    known = newest
    newer()
  }

  /** Words typed before a reload are in sight again, for whoever may still send them. */
  const goBack = (): void => {
    const waits = (): boolean => kept("general") !== null || talk.visible(() => true).some((one) => hasWords(one, service.now()))
    if (waits()) void who.identify().then(() => who.mayComment() && waits() && panel.open())
  }

  const startGeneral = (): void => {
    panel.open()
    panel.heading.focus({ preventScroll: true })
    void who.identify().then(() => {
      render()
      foot.focus()
    })
  }
  panelKeys({ keys, panel, pick, stage, start, general: { label: foot.label, start: startGeneral }, step: go.step })
  // Times are shown in words, which go out of date.
  setInterval(() => panel.isOpen() && render(), 60_000)
  const returned = (): void => void (!document.hidden && panel.isOpen() && who.lookAgain())
  addEventListener("focus", returned)
  // Where a page in a frame has the focus, this window gets none.
  document.addEventListener("visibilitychange", returned)
  const isLive = follow({ changed: heard, anew: () => void load(), published })

  const goOn = (): void => {
    const anchor = draft.kept()
    if (anchor === undefined) panel.open()
    else start(anchor)
  }
  const typed = (): Anchor | undefined => draft.typed().find(({ path }) => stage.path === undefined || isSamePage(path, stage.path()))
  if (who.wasAway()) goOn()
  // A reader who may no longer comment keeps the text and goes on reading.
  else if (typed() !== undefined) {
    void who.identify().then(() => {
      const anchor = typed()
      if (anchor !== undefined && !who.onlyReads()) start(anchor)
    })
  }
  // The reader may have signed in from another window; one who is still not signed in goes on reading undisturbed.
  else if (leftElsewhere()) void who.identify().then(() => who.state() === "somebody" && goOn())
}
