/** Makes elements with properties and children; strings only ever become text. */
import { iconText } from "../../../src/look/icons.ts"
import type { Icon } from "../../../src/look/icons.ts"
import { pieces } from "../../app/ui/pieces.ts"

type Content = Node | string | undefined | false

export const make = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...content: ReadonlyArray<Content>
): HTMLElementTagNameMap[K] => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...content.filter((one): one is Node | string => one !== undefined && one !== false))
  return made
}

export const button = (label: string, run: () => void, className = "quiet"): HTMLButtonElement =>
  make("button", { type: "button", className, textContent: label, onclick: run })

/** What screen readers call it: one of many alike says what it is about. */
export const named = <E extends HTMLElement>(made: E, name: string): E => {
  made.setAttribute("aria-label", name)
  return made
}

export const iconButton = (icon: Icon, label: string, run: () => void): HTMLButtonElement =>
  named(make("button", { type: "button", className: "sign", title: label, innerHTML: iconText(icon), onclick: run }), label)

/** Begins to wait for an answer. What is called then tells whether the reader is still there, or has moved the focus elsewhere: they are not called back. */
export const waits = (): (() => boolean) => {
  const focus = document.activeElement
  return () => document.activeElement === focus || document.activeElement === document.body
}

/** What somebody wrote; CSS keeps its line breaks. */
export const bodyOf = (body: string): HTMLElement =>
  make("p", { className: "body" }, ...pieces(body).map(({ href, text }) =>
    href === undefined ? text : make("a", { href, textContent: text, target: "_blank", rel: "noopener noreferrer nofollow ugc" })))
