/** The seats of a workspace: how many are free, for its admins. */
import { useQuery } from "@tanstack/react-query"
import { workspaceOf } from "../api/workspace.ts"
import { usePermission } from "../frame/session.ts"
import { countOf } from "../ui/facts.tsx"
import { useWorkspace } from "./workspace.tsx"

/** Invited people hold theirs until they accept or the invitation ends. */
export const useSeats = () => {
  const { id } = useWorkspace()
  const { isAdmin } = usePermission()
  const { data } = useQuery({ ...workspaceOf(id), enabled: isAdmin })
  if (data === undefined) return undefined
  const { limits, member_count, usage } = data
  return { limit: limits.seats, invited: Math.max(0, usage.seats - member_count), left: Math.max(0, limits.seats - usage.seats) }
}

export const seatWords = ({ invited, left, limit }: NonNullable<ReturnType<typeof useSeats>>): string => {
  const free = left > 0 ? `${left} of ${countOf(limit, "seat")} free` : limit === 1 ? "The plan’s one seat is taken" : `All ${limit} seats are taken`
  return `${free}${invited > 0 ? `, ${countOf(invited, "invitation")} counted` : ""}.`
}
