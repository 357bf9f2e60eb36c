/** Completion for shells, generated from the commands themselves. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { Command as Commands } from "effect/cli/Command"
import { fromCommand, generate } from "effect/cli/Completions"
import type { CommandDescriptor } from "effect/cli/Completions"

const INSTALL = {
  bash: "# In ~/.bashrc: source <(svc completion bash)",
  zsh: "# In ~/.zshrc: source <(svc completion zsh)",
  fish: "# svc completion fish > ~/.config/fish/completions/svc.fish"
} as const

/** `publish` takes a path, though its argument does not say so: our own code refuses a missing path and understands `-`. */
const withPaths = (command: CommandDescriptor): CommandDescriptor => ({
  ...command,
  subcommands: command.subcommands.map((one) =>
    one.name === "publish" ? { ...one, arguments: one.arguments.map((argument) => ({ ...argument, type: { _tag: "Path", pathType: "either" } as const })) } : one)
})

/** The library's notes mention a flag that this program does not have. */
const withoutInstallation = (script: string): string => script.replace(/# Installation:\n(?:#   .*\n)+#\n/, "")

/** `all` is called late, since the command that is completed contains this one. */
export const completion = (all: () => Commands.Any) =>
  Command.make(
    "completion",
    { shell: Argument.Literals("bash|zsh|fish", ["bash", "zsh", "fish"]) },
    ({ shell }) =>
      Effect.sync(() => {
        const script = withoutInstallation(generate("svc", shell, withPaths(fromCommand(all()))))
        // zsh requires its own line first.
        process.stdout.write(shell === "zsh" ? `${script.replace("\n", `\n${INSTALL.zsh}\n`)}\n` : `${INSTALL[shell]}\n${script}\n`)
      })
  ).pipe(Command.withDescription("Print what makes a shell complete svc"))
