/** What a screen reads and did not get: it says why, and how to ask again. */
import { asRefusal } from "../api/refusal.ts"
import { Button } from "./button.tsx"
import { backAfter } from "./way-back.ts"

export interface Read {
  readonly data: unknown
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => Promise<unknown>
}

/** It was asked for and refused, and there is nothing from before. */
export const isMissing = ({ data, error }: Pick<Read, "data" | "error">): boolean => error !== null && data === undefined

/** Shown in place of the missing data, where the rest of the screen works without it. `what`: "The folders". */
export const Missing = ({ of: { error, isFetching, refetch }, what }: { readonly what: string; readonly of: Read }) => (
  <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
    <p role="alert" className="text-bad">{what} did not arrive. <span className="text-muted">{asRefusal(error).message}</span></p>
    <Button busy={isFetching} onClick={() => backAfter(refetch())}>Try again</Button>
  </div>
)
