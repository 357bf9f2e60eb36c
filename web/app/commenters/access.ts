/** Who may comment on a project, in words. */
import type { Allowlist } from "../api/allowlists.ts"

export type Access = Allowlist["comment_access"]

export const ACCESS = [
  { value: "members", label: "Members of the workspace", hint: "Nobody else writes here." },
  { value: "allowlist", label: "Members and listed people", hint: "They sign in with an address of the list, and need to be able to open the document." },
  { value: "anyone", label: "Anyone who can open it", hint: "Whoever is signed in and can open the document may write." }
] as const satisfies ReadonlyArray<{ value: Access; label: string; hint: string }>

export const accessOf = (access: Access): string => ACCESS.find(({ value }) => value === access)!.label
