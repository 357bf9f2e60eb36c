/** A version by its number, with its manifest. */
import { Effect, Option } from "effect"
import type { Manifest } from "../hosting/model.ts"
import { HostingStore } from "../hosting/store.ts"
import type { ProjectId, StoredVersion } from "./model.ts"
import { noSuchVersion } from "./rules.ts"
import { VersionStore } from "./store.ts"

export interface VersionContents extends StoredVersion {
  readonly manifest: Manifest
}

export const makeContentsOf = Effect.gen(function*() {
  const versions = yield* VersionStore
  const hosting = yield* HostingStore

  /** `field`: the parameter that named the version. */
  return Effect.fn("VersionContents.of")(function*(project: ProjectId, number: number, field = "version") {
    const version = Option.getOrUndefined(yield* versions.find(project, number))
    const manifest = version && Option.getOrUndefined(yield* hosting.manifest(version.id))
    return version && manifest ? { ...version, manifest } satisfies VersionContents : yield* noSuchVersion(field)
  })
})
