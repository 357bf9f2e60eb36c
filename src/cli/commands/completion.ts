/** Completion for shells, made from the commands themselves. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import type { Command as Commands } from "effect/cli/Command"
import { fromCommand, generate } from "effect/cli/Completions"

const INSTALL = {
  bash: "# In ~/.bashrc: source <(svc completion bash)",
  zsh: "# In ~/.zshrc: source <(svc completion zsh)",
  fish: "# svc completion fish > ~/.config/fish/completions/svc.fish"
} as const

/** `all` is asked for when it runs: the command that is completed holds this one. */
export const completion = (all: () => Commands.Any) =>
  Command.make(
    "completion",
    { shell: Argument.Literals("bash|zsh|fish", ["bash", "zsh", "fish"]) },
    ({ shell }) =>
      Effect.sync(() => {
        const script = generate("svc", shell, fromCommand(all()))
        process.stdout.write(shell === "zsh" ? `${script}\n` : `${INSTALL[shell]}\n${script}\n`)
      })
  ).pipe(Command.withDescription("Print what makes a shell complete svc"))
