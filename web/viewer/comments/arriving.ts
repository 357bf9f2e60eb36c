/** Follows a card to its place on another page: after the page load, shows the card, and the place once that is found. */
import { keep, kept } from "./keeping.ts"

const GOTO = "goto"

export interface ArrivingOptions {
  readonly has: (id: string) => boolean
  /** Shows its card. */
  readonly reveal: (id: string) => void
  /** Goes to its place. */
  readonly jump: (id: string) => void
  /** Whether its place is found. */
  readonly isFound: (id: string) => boolean
}

export const arriving = ({ has, isFound, jump, reveal }: ArrivingOptions) => {
  let cameFor = kept(GOTO)
  keep(GOTO, null)
  let following: { readonly id: string, readonly focus: Element | null } | undefined

  return {
    /** Called before this page is left for the card's page. */
    leave: (id: string): void => keep(GOTO, id),
    /** Called once, when the comments have been listed for the first time. */
    listed: (): void => {
      const id = cameFor
      cameFor = null
      if (id === null || !has(id)) return
      reveal(id)
      following = { id, focus: document.activeElement }
    },
    /** Called whenever places may have been found. */
    look: (): void => {
      if (following === undefined || !isFound(following.id)) return
      const { focus, id } = following
      following = undefined
      // A reader who has moved the focus elsewhere meanwhile is not called back.
      if (document.activeElement === focus) jump(id)
    }
  }
}
