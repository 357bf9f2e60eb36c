/** Every command of `svc`. */
import { Command } from "effect/cli"
import type { Command as Commands } from "effect/cli/Command"
import { logout, whoami } from "./commands/account.ts"
import { admin } from "./commands/admin.ts"
import { analytics } from "./commands/analytics.ts"
import { commenters } from "./commands/commenters.ts"
import { comments } from "./commands/comments.ts"
import { completion } from "./commands/completion.ts"
import { doctor } from "./commands/doctor.ts"
import { exports } from "./commands/exports.ts"
import { folders } from "./commands/folders.ts"
import { login } from "./commands/login.ts"
import { invites, members } from "./commands/people.ts"
import { info, list, open, remove, rename } from "./commands/projects.ts"
import { publish } from "./commands/publish.ts"
import { set } from "./commands/set.ts"
import { share } from "./commands/share.ts"
import { tokens } from "./commands/tokens.ts"
import { restore, versions } from "./commands/versions.ts"
import { Connection } from "./connection.ts"
import { Json, Verbose } from "./flags.ts"

const whole: { command?: Commands.Any } = {}

export const svc = Command.make("svc").pipe(
  Command.withDescription("Publish a file, get a live address."),
  Command.withSubcommands([
    { group: "Publish", commands: [publish, list, info, open, set, rename, remove, versions, restore] },
    { group: "Share and hear back", commands: [share, comments, commenters, analytics] },
    { group: "Workspace", commands: [folders, members, invites, exports] },
    { group: "Yourself and this machine", commands: [login, logout, whoami, tokens, doctor, completion(() => whole.command!)] },
    { group: "Platform administrators", commands: [admin] }
  ]),
  Command.withGlobalFlags([Json, Verbose]),
  Command.provide(Connection.layer)
)

whole.command = svc
