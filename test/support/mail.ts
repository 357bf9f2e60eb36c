/** Reads the developer mailbox. */
import { Effect, Schedule } from "effect"
import type { Service } from "./service.ts"

export interface Mailed {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly links: ReadonlyArray<string>
}

/** The mails to an address, newest first, once there are `count` of them. */
export const mailTo = (service: typeof Service.Service, to: string, count = 1) =>
  service.ask("/_dev/mail", { headers: { accept: "application/json" } }).pipe(
    Effect.map((answer) => (answer.json.messages as ReadonlyArray<Mailed>).filter((message) => message.to === to)),
    Effect.repeat({ until: (messages) => messages.length >= count, schedule: Schedule.spaced("25 millis"), times: 2_400 }),
    Effect.tap((messages) => messages.length < count ? Effect.die(new Error(`${count} mails to ${to}: not within a minute`)) : Effect.void)
  )

export const tokenIn = (links: ReadonlyArray<string>): string =>
  new URL(links.find((link) => link.includes("token="))!).searchParams.get("token")!
