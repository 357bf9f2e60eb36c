/** Where toasts appear: at the foot, out of the way; they stay while they are pointed at or focused. */
import * as Toast from "@radix-ui/react-toast"
import { useEffect, useState } from "react"
import { Icon } from "./icon.tsx"
import { dismiss, passedOn, useToasts } from "./toasts.ts"
import { wayBack } from "./way-back.ts"

const button = "min-h-9 rounded-control px-2.5 font-medium underline underline-offset-4 hover:bg-[color-mix(in_srgb,var(--sheet)_14%,transparent)]"

/** The toast shown last would take Escape from a dialog that has the focus. */
const passOn = (event: KeyboardEvent): void => {
  if (!(event.target instanceof Element) || event.target.closest("[role=dialog], [role=alertdialog]") === null) return
  passedOn.add(event)
  event.preventDefault()
}

/** In a toast. The last one that goes leaves the focus on their empty list: it returns to where it was as the toast came. */
const Returns = () => {
  const [back] = useState(wayBack)
  useEffect(() => () => void setTimeout(() => {
    const at = document.activeElement
    if (!(at instanceof HTMLElement && at.matches("[data-toasts]:empty"))) return
    at.blur()
    back()
  }), [back])
  return null
}

const Toaster = () => (
  <Toast.Provider duration={6000} swipeDirection="down" label="Notice">
    {useToasts().map(({ again, id, reload, text, tone, undo }) => (
      <Toast.Root
        key={id} type={tone === "bad" ? "foreground" : "background"} duration={undo === undefined && again === undefined && reload === undefined ? 6000 : 10_000}
        onOpenChange={(open) => open || dismiss(id)} onEscapeKeyDown={passOn}
        className="pointer-events-auto! flex items-center gap-3 rounded-sheet bg-ink py-1.5 pr-1.5 pl-4 text-sheet shadow-float rise"
      >
        <Returns />
        {tone === "bad" && <Icon name="warn" className="shrink-0" />}
        <Toast.Description className="min-w-0 flex-1 py-2 wrap-anywhere">{text}</Toast.Description>
        {undo !== undefined && <Toast.Action altText="Undo what was just done" className={button} onClick={undo}>Undo</Toast.Action>}
        {again !== undefined && <Toast.Action altText="Try once more what did not work" className={button} onClick={again}>Try again</Toast.Action>}
        {reload && <Toast.Action altText="Load the page anew" className={button} onClick={() => location.reload()}>Reload</Toast.Action>}
        <Toast.Close aria-label="Close" className="grid size-9 shrink-0 place-items-center rounded-control"><Icon name="close" size={16} /></Toast.Close>
      </Toast.Root>
    ))}
    {/* Within reach above a dialog too: a dialog does not hide elements with `aria-live`. */}
    <Toast.Viewport aria-live="off" data-toasts="" className="pointer-events-auto fixed bottom-20 left-1/2 z-60 grid w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 gap-2 outline-none md:bottom-6" />
  </Toast.Provider>
)

export default Toaster
