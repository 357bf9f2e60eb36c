/** The next page of a list, loaded from its foot, and data loaded with the screen: what fails to arrive says why. */
import { asRefusal } from "../api/refusal.ts"
import { Button } from "./button.tsx"

interface Paged {
  readonly error: Error | null
  readonly fetchNextPage: () => Promise<unknown>
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
}

export const ShowMore = ({ of: { error, fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } }: { readonly of: Paged }) => !hasNextPage ? null : (
  <div className="grid justify-items-center gap-2">
    {isFetchNextPageError && <p role="alert" className="text-small text-bad">{asRefusal(error).message}</p>}
    <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>{isFetchNextPageError ? "Try again" : "Show more"}</Button>
  </div>
)

interface Read {
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
    <Button busy={isFetching} onClick={() => void refetch()}>Try again</Button>
  </div>
)
