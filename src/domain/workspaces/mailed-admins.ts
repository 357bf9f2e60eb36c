/** Whom a mail tells of what admins look after: it may have waited, so this is asked again as it is sent. */
import { DateTime, Effect, Option } from "effect"
import { AccountStore } from "../accounts/store.ts"
import { WorkspaceId } from "./model.ts"
import { WorkspaceStore } from "./store.ts"

/** The workspace as whoever has this address is an admin of it now. */
export const makeMailedAdmin = Effect.gen(function*() {
  const accounts = yield* AccountStore
  const workspaces = yield* WorkspaceStore

  return Effect.fn("Workspaces.mailedAdmin")(function*({ to, workspaceId }: { readonly to: string; readonly workspaceId: string }) {
    const user = Option.getOrUndefined(yield* accounts.byEmail(to))?.user
    if (user === undefined) return Option.none()
    return Option.filter(yield* workspaces.membership(user.id, WorkspaceId.make(workspaceId), yield* DateTime.now), ({ role }) => role === "admin")
  })
})
