/** A card of another page, followed there: a window that begins anew, where it is shown with its place once that is found. */
import { keep, kept } from "./composer.ts"

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
    /** Before this page is left for that of the card. */
    leave: (id: string): void => keep(GOTO, id),
    /** Once, when the comments are here first. */
    listed: (): void => {
      const id = cameFor
      cameFor = null
      if (id === null || !has(id)) return
      reveal(id)
      following = { id, focus: document.activeElement }
    },
    /** Whenever places may have been found. */
    look: (): void => {
      if (following === undefined || !isFound(following.id)) return
      const { focus, id } = following
      following = undefined
      // Whoever has gone on to something else meanwhile is not called back.
      if (document.activeElement === focus) jump(id)
    }
  }
}
