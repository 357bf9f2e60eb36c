/** What the content plane needs remembered. Implemented by services/database/hosting.ts. */
import { Context } from "effect"
import type { Effect, Option } from "effect"
import type { VersionId } from "../projects/model.ts"
import type { Manifest, Site } from "./model.ts"

export class HostingStore extends Context.Service<HostingStore, {
  /** The facts of all these addresses in one round trip; an address nobody holds is absent. */
  readonly sites: (slugs: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, Site>>
  /** None once the version was pruned. A manifest never changes, so it may be kept in memory. */
  readonly manifest: (version: VersionId) => Effect.Effect<Option.Option<Manifest>>
}>()("svc/domain/hosting/HostingStore") {}
