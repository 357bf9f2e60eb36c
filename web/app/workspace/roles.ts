/** The roles of a workspace's members, in words. */
import type { Role } from "../api/members.ts"

export const ROLES = [
  { value: "member", label: "Member", hint: "Publishes and comments, and sees what the team shares." },
  { value: "admin", label: "Admin", hint: "Also invites people, changes every project, and looks after plan and exports." }
] as const satisfies ReadonlyArray<{ value: Role; label: string; hint: string }>

export const roleName = (role: Role): string => role === "admin" ? "Admin" : "Member"

export const articled = (role: Role | undefined): string => role === "admin" ? "an admin" : "a member"
