/** The tools at `/mcp`, called by the official client. */
import { assert } from "@effect/vitest"
import type { Client } from "@modelcontextprotocol/client"
import { Effect } from "effect"
import { agentNow } from "./agents.ts"
import type { Account, Service } from "./service.ts"

interface Told {
  readonly isError?: boolean
  readonly content: ReadonlyArray<{ readonly text: string }>
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has its own shape, which the client checks against its schema
  readonly structuredContent: any
}

export const raw = (client: Client, name: string, given: Record<string, unknown>) =>
  Effect.promise(() => client.callTool({ name, arguments: given }) as unknown as Promise<Told>)

export const refused = (client: Client, name: string, given: Record<string, unknown>) =>
  Effect.map(raw(client, name, given), (told) => {
    assert.isTrue(told.isError, `${name} ${told.content[0]?.text}`)
    assert.notProperty(told, "structuredContent")
    return JSON.parse(told.content[0]!.text).error
  })

/** An agent with an API token; it counts its calls. */
export const agentOf = Effect.fnUntraced(function*(service: typeof Service.Service, { bearer }: Account) {
  const client: Client = yield* Effect.promise(() => agentNow(service, "auto", bearer).connect())
  const { tools } = yield* Effect.promise(() => client.listTools())
  const called = new Set<string>()
  const call = (name: string, given: Record<string, unknown> = {}) =>
    Effect.map(raw(client, name, given), (told) => {
      assert.isNotTrue(told.isError, `${name}: ${told.content[0]?.text}`)
      assert.isAbove(told.content[0]!.text.length, 1, name)
      called.add(name)
      return { ...told.structuredContent, words: told.content[0]!.text }
    })
  return { client, tools, called, call, fails: (name: string, given: Record<string, unknown>) => refused(client, name, given) }
})
