/** Asked where something would be lost: what is still being sent, or stands half written on the page. */
import { ConfirmDialog } from "../ui/dialog.tsx"

export const SignOut = ({ onClose, signOut }: { readonly onClose: () => void; readonly signOut: () => Promise<unknown> }) => (
  <ConfirmDialog
    open onOpenChange={onClose} title="Sign out now?" action="Sign out" keep="Stay signed in"
    loses="Something here is still being sent, or is written and not sent. It is lost when you sign out." onConfirm={signOut}
  />
)
