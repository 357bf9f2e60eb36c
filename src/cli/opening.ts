/** For whom projects open, as their people are told: none of a workspace whose trial or subscription ended long ago does. */
import type { DateTime } from "effect"
import { Effect } from "effect"
import { opensFor } from "../domain/projects/opening.ts"
import type { Opening } from "../domain/projects/opening.ts"
import type { Project } from "../domain/projects/model.ts"
import type { WorkspaceId } from "../domain/workspaces/model.ts"
import type { Client } from "./client.ts"
import { accountOf } from "./connection.ts"
import { Output } from "./output.ts"

export type Opens = Opening | "down"

/** The workspaces whose links are down. None where that cannot be told just now, or only the answer itself is wanted. */
export const downAmong = (client: Client) =>
  Output.use(({ json }) =>
    json ? Effect.succeed(new Set<WorkspaceId>()) : accountOf(client).pipe(
      Effect.map(({ workspaces }) => new Set(workspaces.filter(({ billingState }) => billingState === "down").map(({ id }) => id))),
      Effect.orElseSucceed(() => new Set<WorkspaceId>())
    ))

type Opened = Parameters<typeof opensFor>[0] & Pick<Project, "workspaceId">

export const openingOf = (project: Opened, down: ReadonlySet<WorkspaceId>, now: DateTime.Utc): Opens => {
  const opening = opensFor(project, now)
  return opening !== "taken down" && down.has(project.workspaceId) ? "down" : opening
}
