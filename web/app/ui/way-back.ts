/** Returns the focus when something closes: to what opened it, or to the nearest element that is still there. */
import { useEffect, useState } from "react"

const FOCUSABLE = "a[href], button:not([aria-disabled=true]), input:not(:disabled), textarea, summary"

/** By the time its dialog closes, a menu is gone; the menu's button is not. */
const openerOf = (at: Element | null): Element | null => {
  const menu = at?.closest("[role=menu]")
  return menu === null || menu === undefined ? at : document.getElementById(menu.getAttribute("aria-labelledby") ?? "")
}

const took = (one: Element | null | undefined): boolean => {
  if (!(one instanceof HTMLElement) || !one.isConnected) return false
  one.focus({ preventScroll: true })
  return document.activeElement === one
}

/** Rows that a confirmed change removes may disappear a moment after its dialog. */
const SOON_MS = 300

/** Call it as something opens, and what it returns once that has closed. */
export const wayBack = (): (() => void) => {
  const from = openerOf(document.activeElement)
  const places: Array<readonly [parent: Element, index: number]> = []
  for (let one = from; one?.parentElement && !one.matches("body, main, [role=dialog]"); one = one.parentElement) {
    places.push([one.parentElement, [...one.parentElement.children].indexOf(one)])
  }
  const back = (): void => {
    const now = document.activeElement
    // An element that took the focus meanwhile keeps it; a dialog does not count, since it takes a focus that nothing else has.
    if (now !== null && now !== document.body && !now.matches("[role=dialog]")) return
    if (from !== document.body && took(from)) return
    const [parent, index = 0] = places.find(([parent]) => parent.isConnected) ?? []
    const beside = parent?.children[index] ?? parent?.lastElementChild
    if (beside?.matches(FOCUSABLE) === true && took(beside)) return
    if (took(beside?.querySelector(FOCUSABLE))) return
    took(now === document.body ? document.querySelector("main h1[tabindex]") : parent?.querySelector(FOCUSABLE))
  }
  return () => {
    back()
    setTimeout(() => from?.isConnected === false && back(), SOON_MS)
  }
}

/** For actions that remove the row they are pressed in, at once or when they are done. `back`: where they are pressed in a dialog of that row. */
export const backAfter = (done: Promise<unknown> = Promise.resolve(), back = wayBack()): void => {
  const later = () => void setTimeout(back)
  void done.then(later, later)
}

/** For a button that brings more of the list above it, and goes with the last of it: the first that came gets the focus. */
export const onToNew = (button: Element, done: Promise<unknown>): void => {
  const around = button.closest("main")
  const rows = () => [...around?.querySelectorAll("li") ?? []]
  const known = new Set(rows())
  const on = (): void => {
    const first = rows().find((one) => !known.has(one))
    if (button.isConnected || document.activeElement !== document.body || first === undefined) return
    first.tabIndex = -1
    first.focus()
  }
  void done.then(() => {
    setTimeout(on)
    setTimeout(on, SOON_MS)
  })
}

/** For forms that replace the button that opened them. */
export const useWayBack = (): void => {
  const [back] = useState(wayBack)
  useEffect(() => () => void setTimeout(back), [back])
}
