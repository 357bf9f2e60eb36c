/** The panel's keys: comment on what is selected or aimed at, step through the comments, close. */
import type { Anchor, CommentRoom } from "../stage.ts"

export interface PanelKeysOptions extends Pick<CommentRoom, "keys" | "stage"> {
  readonly panel: { readonly toggleByKeys: () => void, readonly close: () => void }
  readonly pick: { readonly picked: () => Anchor | undefined, readonly hide: () => void }
  readonly start: (anchor: Anchor) => void
  /** A comment on the whole document or page. */
  readonly general: { readonly label: string, readonly start: () => void }
  readonly step: (by: 1 | -1) => void
}

export const panelKeys = ({ general, keys, panel, pick, stage, start, step }: PanelKeysOptions): void => {
  const comment = async (): Promise<void> => {
    await stage.picking?.()
    const anchor = pick.picked() ?? (document.getSelection()?.isCollapsed === false ? stage.capture() : undefined)
    pick.hide()
    if (anchor === undefined) panel.toggleByKeys()
    else start(anchor)
  }
  keys(
    { keys: ["c"], label: "Comment on what is selected; else show or hide the comments", run: () => void comment() },
    { keys: ["C"], label: general.label, run: general.start },
    { keys: ["]", "["], label: "Next and previous comment", run: ({ key }) => step(key === "]" ? 1 : -1) },
    { keys: ["Escape"], label: "Close what is open", run: () => panel.close() }
  )
  if (stage.aim === undefined) return
  const aimed = async (): Promise<void> => {
    pick.hide()
    const anchor = await stage.aim?.()
    if (anchor !== undefined) start(anchor)
  }
  keys({ keys: ["x"], label: "Comment on a spot found with the arrow keys", run: () => void aimed() })
}
