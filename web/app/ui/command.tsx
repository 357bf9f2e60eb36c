/** A line for a terminal or a file, shown in full and copied with one click. */
import { CopyButton } from "./parts.tsx"

/** `label` names it for screen readers, after "Copy". With `autoFocus`, the focus goes to its copy button. */
export const Command = ({ autoFocus = false, label, text }: { readonly text: string; readonly label: string; readonly autoFocus?: boolean }) => (
  <div className="flex min-w-0 items-start gap-2 rounded-control border border-line bg-desk py-1 pr-1 pl-4">
    <pre className="min-w-0 flex-1 overflow-x-auto py-3 font-mono md:py-2 text-small" tabIndex={0} role="region" aria-label={label}>{text}</pre>
    <CopyButton text={text} label={`Copy ${label}`} shape="icon" autoFocus={autoFocus} />
  </div>
)
