/** What somebody writes in stays while it is resolved, deleted or listed otherwise elsewhere: their field would go with it. */
import { useEffect, useState } from "react"

/** What is listed no more and is still written in, as it was last listed. */
export const useStaying = <One extends { readonly id: string }>(listed: ReadonlyArray<One>, isWriting: (one: One) => boolean): ReadonlyArray<One> => {
  const [written, keep] = useState<ReadonlyArray<One>>([])
  const staying = written.filter((one) => isWriting(one) && !listed.some(({ id }) => id === one.id))
  useEffect(() => {
    const now = [...listed.filter(isWriting), ...staying]
    if (now.length !== written.length || now.some((one, at) => one !== written[at])) keep(now)
  })
  return staying
}
