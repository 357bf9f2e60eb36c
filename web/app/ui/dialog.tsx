/** Dialogs above the page: a plain one, and the confirmation before something is lost. */
import * as AlertDialog from "@radix-ui/react-alert-dialog"
import * as RadixDialog from "@radix-ui/react-dialog"
import { useRef, useState } from "react"
import type { ComponentProps, KeyboardEvent, ReactNode } from "react"
import { asRefusal } from "../api/refusal.ts"
import { Button, IconButton } from "./button.tsx"
import { escapesForm, holdsText } from "./form.tsx"
import { Named } from "./parts.tsx"
import { passedOn } from "./toasts.ts"
import { wayBack } from "./way-back.ts"

const veil = "fixed inset-0 z-40 bg-[rgb(28_27_25/.38)] fade"
const box = "fixed inset-x-0 bottom-0 z-50 mx-auto max-h-[92dvh] w-full overflow-y-auto rounded-t-sheet border border-line bg-sheet p-6 shadow-float rise sm:top-[8vh] sm:bottom-auto sm:max-h-[84dvh] sm:rounded-sheet"

/** Pressing a toast's undo does not close the dialog. */
const staysFor = (event: { readonly target: EventTarget | null; readonly preventDefault: () => void }): void => {
  if (event.target instanceof Element && event.target.closest("[data-toasts]") !== null) event.preventDefault()
}

/** Only keys pressed within this dialog's own element: React also reports those of a dialog nested in it. */
const isLeft = ({ currentTarget, nativeEvent, target }: KeyboardEvent): boolean =>
  passedOn.has(nativeEvent) && target instanceof Node && currentTarget.contains(target)

/** Radix returns the focus only to a trigger of its own. Each of these mounts as its dialog opens. */
const Content = (props: ComponentProps<typeof RadixDialog.Content>) => {
  const [back] = useState(wayBack)
  return <RadixDialog.Content {...props} onCloseAutoFocus={(event) => (event.preventDefault(), back())} />
}

const AlertContent = (props: ComponentProps<typeof AlertDialog.Content>) => {
  const [back] = useState(wayBack)
  return <AlertDialog.Content {...props} onCloseAutoFocus={(event) => (event.preventDefault(), back())} />
}

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: string
  readonly wide?: boolean
  /** A change under way cannot be stopped: the dialog stays until its outcome is known. */
  readonly busy?: boolean
  readonly children: ReactNode
}

export const Dialog = ({ busy = false, children, description, onOpenChange: change, open, title, wide = false }: DialogProps) => {
  const content = useRef<HTMLDivElement>(null)
  const onOpenChange = (next: boolean) => (next || !busy) && change(next)
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={veil} />
        <Content
          ref={content} className={`${box} ${wide ? "sm:max-w-2xl" : "sm:max-w-md"}`} onInteractOutside={(event) => {
            staysFor(event)
            // What was typed goes on purpose only, not by a press that missed.
            if (holdsText(content.current)) event.preventDefault()
          }}
          onEscapeKeyDown={(event) => escapesForm(content.current) && event.preventDefault()} onKeyDown={(event) => isLeft(event) && !escapesForm(content.current) && onOpenChange(false)}
          {...(description === undefined && { "aria-describedby": undefined })}
        >
          <div className="mb-4 pr-10">
            <RadixDialog.Title className="text-lead font-semibold"><Named>{title}</Named></RadixDialog.Title>
            {description !== undefined && <RadixDialog.Description className="mt-1 text-muted">{description}</RadixDialog.Description>}
          </div>
          {children}
          {/* Last, so that the focus starts in what the dialog is for. */}
          <RadixDialog.Close asChild><IconButton icon="close" label="Close" disabled={busy} className="absolute! top-4 right-4" /></RadixDialog.Close>
        </Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

interface ConfirmProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** What is lost, and until when that can be undone. */
  readonly loses: ReactNode
  /** A verb with its object: "Delete project". */
  readonly action: string
  /** The label of the way out: "Keep it" unless given. */
  readonly keep?: string
  /** The dialog closes on success; on a refusal it says so and stays. */
  readonly onConfirm: () => Promise<unknown>
}

export const ConfirmDialog = ({ action, keep = "Keep it", loses, onConfirm, onOpenChange, open, title }: ConfirmProps) => {
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [wasOpen, setWasOpen] = useState(open)
  // A fault from the last time is cleared, however the dialog was closed.
  if (open !== wasOpen) {
    setWasOpen(open)
    setFault(null)
  }
  /** While the change is under way, it stays until the outcome is known. */
  const leave = () => busy || onOpenChange(false)
  const confirm = async () => {
    setBusy(true)
    setFault(null)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch (error) {
      setFault(asRefusal(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => next ? onOpenChange(true) : leave()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={`${veil} z-50!`} />
        <AlertContent className={`${box} sm:max-w-md`} onKeyDown={(event) => isLeft(event) && leave()}>
          <AlertDialog.Title className="text-lead font-semibold break-words">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild><div className="mt-2 break-words text-muted">{loses}</div></AlertDialog.Description>
          {fault !== null && <p role="alert" className="mt-3 text-bad">{fault}</p>}
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild><Button disabled={busy}>{keep}</Button></AlertDialog.Cancel>
            <Button shape="danger" busy={busy} onClick={() => void confirm()}>{action}</Button>
          </div>
        </AlertContent>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
