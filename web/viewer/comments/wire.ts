/** Comments as the project's own host sends them. */
import type { Anchor } from "../stage.ts"

export interface Person {
  /** Null once the account is gone. */
  readonly id: string | null
  readonly name: string
}

export interface Written {
  readonly id: string
  readonly body: string
  readonly author: Person
  readonly edited: boolean
  readonly created_at: string
  readonly updated_at: string
  /** Until then its author may change it, while its thread is open. */
  readonly editable_until: string
}

export interface Reply extends Written {
  readonly parent_id: string
}

export interface Thread extends Written {
  /** The project's version that its author read. */
  readonly version: number
  /** `where` says in words what the other fields say. */
  readonly anchor: (Anchor & { readonly where: string }) | null
  readonly status: "open" | "resolved"
  readonly resolved_at: string | null
  readonly resolved_by: Person | null
  readonly replies: ReadonlyArray<Reply>
}

/** The person that the token belongs to. */
export interface You {
  readonly id: string
  readonly name: string
  readonly may_comment: boolean
  readonly is_member: boolean
  readonly may_delete_any: boolean
}

export interface Listed {
  readonly comments: ReadonlyArray<Thread>
  readonly next_cursor: string | null
  /** The newest version. */
  readonly version: number
  readonly you: You | null
}

export interface Change {
  readonly kind: "created" | "edited" | "deleted" | "resolved" | "reopened"
  readonly id: string
  readonly thread_id: string
  readonly comment: Thread | null
}
