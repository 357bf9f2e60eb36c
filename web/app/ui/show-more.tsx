/** The next page of a list, loaded from its foot: one that fails to arrive says why. */
import { asRefusal } from "../api/refusal.ts"
import { Button } from "./button.tsx"
import { onToNew } from "./way-back.ts"

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
    <Button busy={isFetchingNextPage} onClick={({ currentTarget }) => onToNew(currentTarget, fetchNextPage())}>{isFetchNextPageError ? "Try again" : "Show more"}</Button>
  </div>
)
