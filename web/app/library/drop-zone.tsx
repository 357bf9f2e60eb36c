/** Publishing from anywhere on a screen: drop, paste, or pick; an overlay says what a drop will do. */
import { createContext, useContext, useEffect, useMemo, useRef, useState } from "react"
import type { ReactNode } from "react"
import type { Sent } from "../api/upload.ts"
import { useCommands } from "../frame/commands.ts"
import { Button, IconButton } from "../ui/button.tsx"
import type { ButtonShape } from "../ui/button.tsx"
import { carriesFiles } from "../ui/dragging.ts"
import { Icon } from "../ui/icon.tsx"
import { toast } from "../ui/toasts.ts"
import { filesIn, picked, textAsFile } from "./dropped.ts"
import type { Given } from "./dropped.ts"

const Picking = createContext<{ readonly files: () => void; readonly folder: () => void }>({ files: () => {}, folder: () => {} })

const usePicking = () => useContext(Picking)

export const PublishButton = ({ children = "Publish", shape = "filled" }: { readonly children?: ReactNode; readonly shape?: ButtonShape }) => {
  const { files } = usePicking()
  return <Button shape={shape} icon="upload" onClick={files}>{children}</Button>
}

const FOLDER = "Publish a folder"

export const FolderButton = ({ worded = false }: { readonly worded?: boolean }) => {
  const { folder } = usePicking()
  const button = { icon: "folderUp", onClick: folder, className: "max-md:hidden" } as const
  return worded ? <Button {...button}>{FOLDER}</Button> : <IconButton {...button} label={FOLDER} />
}

/** A folder that changes while it is read, or that this browser may not read. */
const unread = (): void => toast({ text: "Not everything in it could be read, so nothing was published. Drop it again.", tone: "bad" })

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** A dialog is about something else, and its veil hides what would happen here. */
const isCovered = (): boolean => document.querySelector("[role=dialog], [role=alertdialog]") !== null

interface DropZoneProps {
  readonly children: ReactNode
  /** What a drop will do. */
  readonly veil: string
  /** Must stay the same value between renders. */
  readonly take: (files: ReadonlyArray<Sent>, pasted: boolean) => void
  /** Whether a text in the clipboard is published as a document here. */
  readonly texts?: boolean
}

export const DropZone = ({ children, take: given, texts = false, veil }: DropZoneProps) => {
  const input = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const picking = useMemo(() => ({ files: () => input.current?.click(), folder: () => folder.current?.click() }), [])
  const take = useMemo(() => ({ files, leftOut }: Given, pasted = false) => {
    const names = leftOut.slice(0, 5).join(", ") + (leftOut.length > 5 ? " and more" : "")
    const rules = leftOut.includes(".svcignore") ? " Only the command line follows .svcignore." : ""
    if (files.length === 0 && names === "" && !pasted) return toast({ text: "There is nothing in it, so nothing was published." })
    if (names !== "") toast({ text: files.length > 0 ? `Left out: ${names}.${rules}` : `There was only ${names}, which we leave out.` })
    if (files.length > 0) given(files, pasted)
  }, [given])

  useCommands(useMemo(() => [
    { id: "publish", name: texts ? "Publish a file" : "Publish a new version", icon: "upload" as const, run: picking.files, words: ["upload", "new"] },
    { id: "publish-folder", name: texts ? "Publish a folder" : "Publish a new version from a folder", icon: "folderUp" as const, run: picking.folder, words: ["upload", "site"] }
  ], [picking, texts]))

  useEffect(() => {
    const drag = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      const takes = !isCovered()
      event.dataTransfer!.dropEffect = takes ? "copy" : "none"
      setOver(takes)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event) || event.dataTransfer === null) return
      if (!isCovered()) void filesIn(event.dataTransfer).then((found) => take(found), unread)
    }
    const paste = (event: ClipboardEvent) => {
      if (isTyping(event.target) || isCovered() || event.clipboardData === null) return
      // Read at once: the clipboard is empty after the event.
      const text = event.clipboardData.getData("text/plain")
      // Copied cells and paragraphs come with a picture of themselves.
      const isPictured = (found: Given) => text.trim() !== "" && found.files.every(({ file }) => file.type.startsWith("image/"))
      void filesIn(event.clipboardData).then(
        (found) => isPictured(found) ? texts && text.trim().length >= 20 && take({ files: [textAsFile(text)], leftOut: [] }, true) : take(found, true),
        unread
      )
    }
    addEventListener("dragenter", drag)
    addEventListener("dragover", drag)
    addEventListener("dragleave", leave)
    addEventListener("drop", drop)
    addEventListener("paste", paste)
    return () => {
      removeEventListener("dragenter", drag)
      removeEventListener("dragover", drag)
      removeEventListener("dragleave", leave)
      removeEventListener("drop", drop)
      removeEventListener("paste", paste)
    }
  }, [take, texts])

  return (
    <Picking value={picking}>
      {[{ ref: input, label: "Files to publish", whole: {} }, { ref: folder, label: "Folder to publish", whole: { webkitdirectory: "" } }].map(({ label, ref, whole }) => (
        <input
          key={label} ref={ref} type="file" multiple className="hidden" aria-label={label} tabIndex={-1} {...whole}
          onChange={({ target }) => {
            take(picked(target.files ?? new DataTransfer().files))
            target.value = ""
          }}
        />
      ))}
      {children}
      {over && (
        <div className="fade pointer-events-none fixed inset-2 z-40 grid place-items-center rounded-sheet border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--sheet)_94%,transparent)]">
          <p className="flex items-center gap-3 px-6 text-center text-lead font-semibold"><Icon name="upload" size={24} className="shrink-0 text-accent" />{veil}</p>
        </div>
      )}
    </Picking>
  )
}
