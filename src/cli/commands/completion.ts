/** Completion for shells, made from the commands themselves. */
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

/** What is published is a path, which its argument does not say: `-` and what is not there are refused in words of ours. */
const withPaths = (command: CommandDescriptor): CommandDescriptor => ({
  ...command,
  subcommands: command.subcommands.map((one) =>
    one.name === "publish" ? { ...one, arguments: one.arguments.map((argument) => ({ ...argument, type: { _tag: "Path", pathType: "either" } as const })) } : one)
})

/** The library tells of a flag that this program has not. */
const withoutInstallation = (script: string): string => script.replace(/# Installation:\n(?:#   .*\n)+#\n/, "")

/** `all` is asked for when it runs: the command that is completed holds this one. */
export const completion = (all: () => Commands.Any) =>
  Command.make(
    "completion",
    { shell: Argument.Literals("bash|zsh|fish", ["bash", "zsh", "fish"]) },
    ({ shell }) =>
      Effect.sync(() => {
        const script = withoutInstallation(generate("svc", shell, withPaths(fromCommand(all()))))
        // zsh wants its own line first.
        process.stdout.write(shell === "zsh" ? `${script.replace("\n", `\n${INSTALL.zsh}\n`)}\n` : `${INSTALL[shell]}\n${script}\n`)
      })
  ).pipe(Command.withDescription("Print what makes a shell complete svc"))
