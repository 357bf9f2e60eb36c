/** How the common agents are connected: the same facts as in /mcp.md. */
import { queryOptions } from "@tanstack/react-query"
import { baseUrl } from "./base.ts"
import { keys } from "./queries.ts"
import { offline, refusalOf, unreadableAnswer } from "./refusal.ts"

export type Step = { readonly text: string } | { readonly code: string; readonly language: string }

export interface AgentClient {
  readonly name: string
  readonly steps: ReadonlyArray<Step>
}

/** A document outside the contract, as /mcp.md is. */
export const agentClients = queryOptions({
  queryKey: keys.agentClients,
  queryFn: async ({ signal }): Promise<ReadonlyArray<AgentClient>> => {
    const answer = await fetch(`${baseUrl}/mcp/clients.json`, { signal }).catch((error: unknown) => {
      throw signal.aborted ? error : offline()
    })
    const requestId = answer.headers.get("x-request-id")
    if (!answer.ok) throw refusalOf(answer.status, await answer.text(), requestId)
    const body = (await answer.json().catch((error: unknown) => {
      throw signal.aborted ? error : unreadableAnswer(requestId)
    })) as { readonly clients: ReadonlyArray<AgentClient> }
    return body.clients
  },
  staleTime: Number.POSITIVE_INFINITY
})
