/** Sends mail by SMTP; the embedded default's developer mailbox is in database/mailbox.ts. */
import { Context, Effect, Layer, Redacted, Schema } from "effect"

/** A letter on its way to somebody. */
export interface Posted {
  /** The same on every attempt: it becomes the Message-ID, so that a repeat is recognised as one. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly html: string
  readonly text: string
  /** Where one click unsubscribes from letters like this one; clients that know RFC 8058 show it beside the sender. */
  readonly unsubscribe?: string | undefined
}

/** `permanent`: the server will never take this letter, so trying again is useless. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", {
  permanent: Schema.Boolean,
  cause: Schema.Defect()
}) {}

export class MailTransport extends Context.Service<MailTransport, {
  readonly send: (posted: Posted) => Effect.Effect<void, MailRefused>
}>()("svc/services/mail/MailTransport") {}

/**
 * "554 5.7.1 <ada@example.com>: Relay access denied", "550 relay not permitted", "530 SMTP authentication is required": it does not know
 * us. Postfix waits for the recipient before it refuses who connects, how, or whom the letter is from, and names these; where nobody may
 * send without a password, it says "554 5.7.1 <ada@example.com>: Recipient address rejected: Access denied".
 */
const knowsUsNot = ({ response, responseCode }: Record<string, unknown>): boolean => {
  if (responseCode === 530) return true
  const words = typeof response === "string" ? response.replaceAll(/\S+@\S+/g, "") : ""
  return /\b(?:relay(?! recipient)|client host|helo command|sender address)\b/i.test(words) || responseCode === 554 && words.includes("Recipient address rejected: Access denied")
}

/**
 * Whether a 5xx concerns this recipient or this text. One about the connection, the password, the sender or whether we may send at all
 * concerns our own settings, which somebody will correct: it must not cost the mails of an hour.
 */
const permanent = (cause: unknown): boolean => {
  const said = typeof cause === "object" && cause !== null ? cause as Record<string, unknown> : {}
  const { code, command, responseCode } = said
  if ((code !== "EENVELOPE" && code !== "EMESSAGE") || command === "MAIL FROM" || command === "RCPT TO" && knowsUsNot(said)) return false
  return command === "API" || (Number(responseCode) >= 500 && Number(responseCode) < 600)
}

/** What the log may say of a failure: codes of the socket and the server. Its words may name the recipient. */
export const reasonOf = (cause: unknown): Record<string, unknown> => {
  if (typeof cause !== "object" || cause === null) return {}
  const { code, command, originalCode, responseCode } = cause as Record<string, unknown>
  return { code: originalCode ?? code, command, responseCode }
}

/** No program answers what a program sent (RFC 3834), such as that its reader is away. */
const headersOf = (unsubscribe: string | undefined) => ({
  "Auto-Submitted": "auto-generated",
  ...(unsubscribe !== undefined && { "List-Unsubscribe": `<${unsubscribe}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" })
})

const TIMEOUT_MILLIS = 20_000

/** All of one letter: a server that says a little every few seconds is never silent, and a stop waits for it. */
const LETTER_MILLIS = 50_000

/** What a server is greeted with: a container's own name is none, and some relays hang up on the "[127.0.0.1]" that stands for it. */
const isName = (domain: string) => /\.[a-z]/i.test(domain)

/** How many letters go out at once. */
export const CONNECTIONS = 2

export const MailTransportSmtp = (options: {
  readonly url: Redacted.Redacted<string>
  readonly from: string
  readonly domain: string
  readonly letterMillis?: number
}) =>
  Layer.effect(
    MailTransport,
    Effect.gen(function*() {
      const smtp = yield* Effect.acquireRelease(
        Effect.promise(async () =>
          // Loaded only if there is a server to send through.
          (await import("nodemailer")).createTransport({
            url: Redacted.value(options.url),
            pool: true,
            maxConnections: CONNECTIONS,
            connectionTimeout: TIMEOUT_MILLIS,
            greetingTimeout: TIMEOUT_MILLIS,
            socketTimeout: TIMEOUT_MILLIS,
            ...(isName(options.domain) && { name: options.domain }),
            disableFileAccess: true,
            disableUrlAccess: true
          })
        ),
        (smtp) => Effect.sync(() => smtp.close())
      )
      return MailTransport.of({
        send: ({ id, unsubscribe, ...letter }) =>
          Effect.tryPromise({
            try: () =>
              smtp.sendMail({
                ...letter,
                headers: headersOf(unsubscribe),
                from: options.from,
                messageId: `<${id}@${options.domain}>`,
                // Closes the connection too, or the server would keep one of the few.
                signal: AbortSignal.timeout(options.letterMillis ?? LETTER_MILLIS)
              }),
            catch: (cause) => new MailRefused({ permanent: permanent(cause), cause })
          }).pipe(Effect.asVoid)
      })
    })
  )
