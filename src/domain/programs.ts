/** The slices' programs together, over whatever keeps their ports. */
import { Layer } from "effect"
import { Accounts } from "./accounts/accounts.ts"
import { Recovery } from "./accounts/recovery.ts"
import { ApiTokens } from "./api-tokens/api-tokens.ts"
import { Collection } from "./projects/collection.ts"
import { Projects } from "./projects/projects.ts"
import { Publishing } from "./projects/publishing.ts"
import { Receiving } from "./projects/receiving.ts"
import { Versions } from "./projects/versions.ts"
import { Sessions } from "./sessions/sessions.ts"
import { Workspaces } from "./workspaces/workspaces.ts"

export const Programs = Layer.mergeAll(Accounts.layer, Recovery.layer, Projects.layer, Publishing.layer, Collection.layer, ApiTokens.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, Versions.layer, Receiving.layer)),
  Layer.provideMerge(Workspaces.layer)
)
