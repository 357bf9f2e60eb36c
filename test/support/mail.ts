/** Reads the developer mailbox. */
import { Effect, Schedule } from "effect"
import type { Service } from "./service.ts"

export interface Mailed {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly links: ReadonlyArray<string>
}

const once = (service: typeof Service.Service, to: string, what: string, there: (messages: ReadonlyArray<Mailed>) => boolean) =>
  service.ask("/_dev/mail", { headers: { accept: "application/json" } }).pipe(
    Effect.map((answer) => (answer.json.messages as ReadonlyArray<Mailed>).filter((message) => message.to === to)),
    Effect.repeat({ until: there, schedule: Schedule.spaced("25 millis"), times: 9_600 }),
    Effect.tap((messages) => there(messages) ? Effect.void : Effect.die(new Error(`${what} to ${to}: not within four minutes`)))
  )

/** The mails to an address, newest first, once there are `count` of them. */
export const mailTo = (service: typeof Service.Service, to: string, count = 1) => once(service, to, `${count} mails`, ({ length }) => length >= count)

/** The newest mail to an address that says so, once it is there, whatever else was mailed before. */
export const mailSaying = (service: typeof Service.Service, to: string, words: string) => {
  const says = ({ subject, text }: Mailed) => subject.includes(words) || text.includes(words)
  return Effect.map(once(service, to, `a mail that says “${words}”`, (messages) => messages.some(says)), (messages) => messages.find(says)!)
}

export const tokenIn = (links: ReadonlyArray<string>): string =>
  new URL(links.find((link) => link.includes("token="))!).searchParams.get("token")!
