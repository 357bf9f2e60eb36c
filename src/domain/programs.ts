/** The slices' programs together, over whatever keeps their ports. */
import { Layer } from "effect"
import { Accounts } from "./accounts/accounts.ts"
import { Recovery } from "./accounts/recovery.ts"
import { ApiTokens } from "./api-tokens/api-tokens.ts"
import { DeviceGrants } from "./device-grants/device-grants.ts"
import { EntryKeys } from "./hosting/entry-keys.ts"
import { Gates } from "./hosting/gates.ts"
import { Idp } from "./idp/idp.ts"
import { Invites } from "./invites/invites.ts"
import { CommentTokens } from "./comments/comment-tokens.ts"
import { Mails } from "./mails/mails.ts"
import { Grants } from "./grants/grants.ts"
import { OauthClients } from "./oauth/clients.ts"
import { OAuth } from "./oauth/oauth.ts"
import { TokenGrants } from "./oauth/token-grants.ts"
import { Collection } from "./projects/collection.ts"
import { Projects } from "./projects/projects.ts"
import { Publishing } from "./projects/publishing.ts"
import { ProjectSettings } from "./projects/project-settings.ts"
import { Receiving } from "./projects/receiving.ts"
import { Versions } from "./projects/versions.ts"
import { Sessions } from "./sessions/sessions.ts"
import { Workspaces } from "./workspaces/workspaces.ts"

/** Over parts of other slices, which are the same ones below. */
const SignedInElsewhere = Idp.layer.pipe(Layer.provide([Recovery.layer, Invites.layer]))

export const Programs = Layer.mergeAll(Accounts.layer, Gates.layer, Recovery.layer, CommentTokens.layer, Projects.layer, Publishing.layer, Collection.layer, OAuth.layer, TokenGrants.layer, Grants.layer, Invites.layer, SignedInElsewhere, Mails.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(DeviceGrants.layer, OauthClients.layer)),
  Layer.provideMerge(Layer.mergeAll(Sessions.layer, EntryKeys.layer, ApiTokens.layer, Versions.layer, Receiving.layer, ProjectSettings.layer)),
  Layer.provideMerge(Workspaces.layer)
)
