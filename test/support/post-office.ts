/** A mail server for tests: accepts mails or refuses them for now, and records every attempt. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import PostalMime from "postal-mime"
import type { Email } from "postal-mime"
import { SMTPServer } from "smtp-server"

export interface Attempt {
  readonly taken: boolean
  /** The recipients in the envelope, which no header can change. */
  readonly recipients: ReadonlyArray<string>
  readonly mail: Email
  readonly raw: string
}

/** The token in a letter's link to this page, such as `verify-email`. */
export const tokenIn = ({ mail }: Attempt, page: string): string | undefined => {
  const token = new RegExp(`/${page}\\?token=([\\w%.-]+)`).exec(mail.text ?? "")?.[1]
  return token && decodeURIComponent(token)
}

export interface PostOffice {
  readonly url: string
  readonly attempts: ReadonlyArray<Attempt>
  /** The letters accepted for this address. */
  readonly lettersTo: (address: string) => ReadonlyArray<Attempt>
  /** From now on refuses everything, for now as a busy server does or for good; or accepts again. */
  readonly refuse: (refusing: boolean | "for good") => void
  readonly stop: () => Promise<void>
}

export const openPostOffice = async (): Promise<PostOffice> => {
  const attempts: Array<Attempt> = []
  let refusing: boolean | "for good" = false
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData: (stream, { envelope }, done) => {
      void (async () => {
        const bytes = await buffer(stream)
        const taken = refusing === false
        const responseCode = refusing === "for good" ? 550 : 451
        const mail = await PostalMime.parse(bytes)
        attempts.push({ taken, recipients: envelope.rcptTo.map(({ address }) => address), mail, raw: bytes.toString("latin1") })
        done(taken ? null : Object.assign(new Error("Not now, or never"), { responseCode }))
        // A half-sent letter does not count: its sender was killed.
      })().catch(done)
    }
  })
  // A client that is killed breaks its connection.
  server.on("error", () => undefined)
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    attempts,
    lettersTo: (address) => attempts.filter(({ recipients, taken }) => taken && recipients.includes(address)),
    refuse: (given) => {
      refusing = given
    },
    stop: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
