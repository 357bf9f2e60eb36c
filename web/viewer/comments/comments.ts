/** The comments of a document: their panel, their marks, and what happens to them, here and elsewhere. */
import "./comments.css"
import type { Anchor, CommentRoom, MountComments, Place } from "../stage.ts"
import { card, quoteOf } from "./card.ts"
import type { Card } from "./card.ts"
import { client } from "./client.ts"
import { composer, keep, kept } from "./composer.ts"
import { drawer } from "./drawer.ts"
import { iconButton, make } from "./elements.ts"
import { filters } from "./filters.ts"
import { follow } from "./live.ts"
import { marks } from "./marks.ts"
import { outline } from "./outline.ts"
import { picker } from "./pick.ts"
import { placed } from "./placed.ts"
import { threads } from "./threads.ts"
import type { Filter } from "./threads.ts"
import { cameBack, forgetAway, leftElsewhere, wayIn } from "./way-in.ts"
import type { Change, Thread, You } from "./wire.ts"
import { isGeneral } from "./words.ts"

const smoothly = (run: () => void): void => {
  const { style } = document.documentElement
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) style.scrollBehavior = "smooth"
  run()
  // Some kinds look once more when what lies between has its height.
  requestAnimationFrame(() => requestAnimationFrame(() => (style.scrollBehavior = "")))
}

const keptAnchor = (): Anchor | undefined => {
  try {
    return JSON.parse(kept("anchor") ?? "") as Anchor
  } catch {
    return undefined
  }
}

export const mount: MountComments = ({ aside, base, button, keys, main, proof, stage }: CommentRoom) => {
  const service = client({ base, proof })
  const talk = threads()
  const cards = new Map<string, Card>()
  let you: You | null = null
  let reader: "unknown" | "nobody" | "somebody" = "unknown"
  let focused: { readonly id: string, readonly place: Place } | undefined
  /** The thread last looked at: its mark stays, though what is scrolled to it leaves the pointer behind. */
  let held: string | undefined
  let draft: { readonly anchor: Anchor | undefined, readonly element: HTMLElement } | undefined
  let wasAway = cameBack()

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
  const foot = make("div", { className: "panel-foot" })

  const panel = drawer({
    button,
    aside,
    turned: (open) => {
      stage.pointing?.(open)
      if (!open) {
        focused?.place.clear()
        focused = undefined
        hold(undefined)
        pick.hide()
        return
      }
      render()
      if (reader === "unknown") void identify()
    }
  })
  aside.replaceChildren(
    panel.handle,
    make("header", {}, make("h2", { textContent: "Comments" }), iconButton("up", "Previous comment ([)", () => step(-1)), iconButton("down", "Next comment (])", () => step(1)), panel.closer),
    choice.element, trouble, list, foot
  )

  const path = (): string | undefined => stage.path?.()
  const isHere = ({ anchor }: Thread): boolean => anchor === null || stage.path === undefined || anchor.path === path()

  let drawing = false
  /** Once a frame, however much moves. */
  const soon = (): void => {
    if (drawing) return
    drawing = true
    requestAnimationFrame(() => {
      drawing = false
      render()
    })
  }
  const places = placed(stage, soon)
  const signs = marks(main, (id) => id === undefined ? hold(undefined) : reveal(id))
  const hold = (id: string | undefined): void => {
    held = id
    signs.point(id)
  }
  const levels = outline(list, stage, () => panel.isOpen() && !panel.isNarrow())

  const render = (): void => {
    const amounts = talk.amounts()
    count.textContent = amounts.open === 0 ? "" : String(amounts.open)
    button.setAttribute("aria-label", amounts.open === 0 ? "Comments" : `Comments, ${amounts.open} open`)
    choice.update(amounts, talk.filter())
    const shown = talk.visible()
    const here = shown.filter((one) => isHere(one) && !isGeneral(one.anchor))
    places.want(here)
    signs.show(new Map(here.flatMap(({ id }) => {
      const place = places.of(id)
      return place === undefined ? [] : [[id, place] as const]
    })))
    if (!panel.isOpen()) return

    for (const id of [...cards.keys()]) {
      if (!talk.has(id)) cards.delete(id)
    }
    const elementOf = (thread: Thread): HTMLElement => {
      const made = cards.get(thread.id)
      if (made !== undefined) {
        made.update(thread)
        return made.element
      }
      const fresh = card(thread, parts)
      cards.set(thread.id, fresh)
      return fresh.element
    }
    const newest = (a: Thread, b: Thread) => b.created_at.localeCompare(a.created_at)
    const found = here.filter(({ id }) => places.of(id) !== undefined)
    levels.show({
      placed: [
        ...found.map((thread) => ({ element: elementOf(thread), anchor: thread.anchor!, place: places.of(thread.id)! })),
        ...(draft?.anchor === undefined ? [] : [{ element: draft.element, anchor: draft.anchor, place: places.of("draft") }])
      ],
      general: shown.filter((one) => isHere(one) && isGeneral(one.anchor)).sort(newest).map(elementOf),
      lost: here.filter(({ id }) => places.isLost(id)).sort(newest).map(elementOf),
      elsewhere: shown.filter((one) => !isHere(one)).sort((a, b) => a.anchor!.path.localeCompare(b.anchor!.path) || newest(b, a)).map(elementOf),
      empty: amounts.all === 0 ? `Nobody has said anything yet. ${stage.hint ?? "Select some words to comment on them, or write below."}`
        : talk.filter() === "open" ? "Nothing is open: every comment is resolved." : "None are resolved yet."
    })
    footed()
  }

  let footedFor = ""
  const footed = (): void => {
    const state = `${reader} ${you?.may_comment} ${draft !== undefined}`
    if (state === footedFor) return
    footedFor = state
    if (reader === "unknown") return foot.replaceChildren()
    if (reader === "nobody") return foot.replaceChildren(...draft === undefined ? [wayIn(base, wasAway)] : [])
    if (you?.may_comment !== true) {
      return foot.replaceChildren(make("p", { className: "note", textContent: "You can read these comments. To add some, ask whoever sent you the link to put your address on the list, and confirm your address if you are new." }))
    }
    const label = stage.path === undefined ? "Comment on the whole document" : "Comment on this page"
    const field = composer({
      key: "general", label, action: "Comment",
      send: (body) => post(body, stage.path === undefined ? undefined : { path: stage.path() })
    })
    foot.replaceChildren(field.element)
  }

  const post = async (body: string, anchor: Anchor | undefined): Promise<void> => {
    const made = await service.post({ body, anchor })
    talk.put(made)
    talk.lookFor({ status: "open" })
    if (draft?.anchor === anchor) undraft()
    render()
    say("Comment posted")
    await places.settled()
    reveal(made.id)
  }
  const parts = {
    client: service,
    you: () => you,
    edited: async (id: string, body: string) => {
      talk.put(await service.edit(id, body))
      render()
      say("Saved")
    },
    removed: async (id: string) => {
      await service.remove(id)
      take(id)
      say("Deleted")
      list.focus()
    },
    reply: async (parentId: string, body: string) => {
      talk.put(await service.post({ body, parentId }))
      render()
      say("Reply posted")
    },
    settle: async (id: string, status: Thread["status"]) => {
      talk.put(await service.settle(id, status))
      say(status === "resolved" ? "Resolved" : "Open again")
      const neighbour = cards.get(id)?.element
      render()
      if (neighbour?.isConnected !== true) list.focus()
    },
    jump: (id: string) => jump(id),
    hover: (id: string | undefined) => signs.point(id ?? held),
    hold
  }
  const take = (id: string): void => {
    talk.take(id)
    render()
  }

  const jump = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    if (!isHere(thread)) return stage.go?.(thread.anchor!.path)
    const place = places.of(id)
    focused?.place.clear()
    focused = place && { id, place }
    if (place !== undefined) smoothly(place.focus)
    hold(id)
  }
  /** Its card, from its mark or from its neighbour. */
  const reveal = (id: string): void => {
    const thread = talk.get(id)
    if (thread === undefined) return
    talk.lookFor(thread)
    panel.open()
    render()
    const element = cards.get(id)?.element
    element?.focus({ preventScroll: true })
    levels.near(element)
    hold(id)
  }
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
    talk.look(name)
    render()
  }

  const undraft = (): void => {
    if (draft === undefined) return
    draft = undefined
    keep("anchor", null)
    places.drop("draft")
    render()
  }
  const start = (anchor: Anchor): void => {
    keep("anchor", JSON.stringify(anchor))
    draft?.element.remove()
    const about = make("p", { className: "about", textContent: quoteOf({ anchor: { ...anchor, where: anchor.time !== undefined ? "this moment" : anchor.width !== undefined ? "this part" : "this spot" } }) })
    const element = make("section", { className: "thread draft" }, about)
    element.setAttribute("aria-label", "New comment")
    draft = { anchor, element }
    places.add("draft", anchor)
    panel.open()
    render()
    void identify().then(() => {
      if (draft?.element !== element) return
      if (reader === "nobody") element.append(wayIn(base, wasAway))
      else if (you?.may_comment === true) {
        const field = composer({ key: "new", label: "Your comment", action: "Comment", send: (body) => post(body, anchor), cancel: () => {
          undraft()
          list.focus()
        } })
        element.append(field.element)
        field.focus()
      } else undraft()
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
    // In a table or among pages of its own, what was picked goes other ways than the scroll.
    if (event.type === "scroll") pick.follow(event.target === document || stage.path !== undefined)
    levels.follow()
    signs.follow()
  }
  for (const name of ["scroll", "places"]) addEventListener(name, followed, { capture: true, passive: true })

  const load = async (): Promise<void> => {
    try {
      const listed = await service.list()
      talk.reset(listed.threads)
      you = listed.you
      if (you !== null) reader = "somebody"
      // Members may see what changed, and on a public page nobody knew until now that this is one.
      if (you?.is_member === true) document.getElementById("versions")?.removeAttribute("hidden")
      trouble.hidden = true
    } catch (error) {
      trouble.textContent = error instanceof Error ? error.message : "The comments did not arrive."
      trouble.hidden = false
    }
    render()
  }
  /** Asked when somebody is about to write, not of everybody who reads. */
  const identify = async (): Promise<void> => {
    if (reader === "somebody") return
    try {
      const token = await service.signIn()
      reader = token === undefined ? "nobody" : "somebody"
      if (token !== undefined) await load()
    } catch {
      reader = "nobody"
    }
    if (reader === "somebody") {
      wasAway = false
      forgetAway()
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
    if (isNew && author !== undefined && author.id !== you?.id) say(id === threadId ? `New comment by ${author.name}` : `${author.name} replied`)
  }

  keys(
    { keys: ["c"], label: "Comment on what is selected; else show or hide the comments", run: () => {
      const anchor = pick.picked() ?? (document.getSelection()?.isCollapsed === false ? stage.capture() : undefined)
      pick.hide()
      if (anchor === undefined) panel.toggle()
      else start(anchor)
    } },
    { keys: ["]", "["], label: "Next and previous comment", run: ({ key }) => step(key === "]" ? 1 : -1) },
    { keys: ["Escape"], label: "Close what is open", run: () => panel.close() }
  )
  if (stage.aim !== undefined) {
    const aim = async (): Promise<void> => {
      pick.hide()
      const anchor = await stage.aim!()
      if (anchor !== undefined) start(anchor)
    }
    keys({ keys: ["x"], label: "Comment on a spot that arrows lead to", run: () => void aim() })
  }
  // The times are words, which age.
  setInterval(() => panel.isOpen() && render(), 60_000)
  addEventListener("focus", () => reader === "nobody" && panel.isOpen() && void identify())
  follow({ changed, anew: () => void load() })

  const goOn = (): void => {
    const anchor = keptAnchor()
    if (anchor === undefined) panel.open()
    else start(anchor)
  }
  if (wasAway) goOn()
  // Their window may be another one; whoever is still nobody reads on undisturbed.
  else if (leftElsewhere()) void identify().then(() => reader === "somebody" && goOn())
}
