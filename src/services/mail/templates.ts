/** What each mail says: `match` is exhaustive, so a new case of `Mail` does not compile until it has words. */
import { Mail } from "../../domain/ports/mailer.ts"
import { letter } from "./letter.ts"
import type { Letter } from "./letter.ts"

/** `appUrl` without a slash at its end; every link starts with it and with nothing else. */
export const written = (mail: Mail, { appUrl }: { readonly appUrl: string }): Letter =>
  Mail.match(mail, {
    VerifyEmail: ({ name, token }) =>
      letter({
        subject: "Confirm your email address",
        name,
        sentence: "Confirm that this address is yours, and you can publish.",
        button: { label: "Confirm my address", href: `${appUrl}/verify-email?token=${encodeURIComponent(token)}` },
        terms: "The link works once, for 48 hours.",
        why: "You get this because someone signed up for svc with this address. If it was not you, leave it: nothing is published in your name without that click."
      }),
    AlreadyRegistered: ({ name }) =>
      letter({
        subject: "You already have an account",
        name,
        sentence: "Someone signed up for svc with this address, and it has an account already. Sign in as you always do.",
        button: { label: "Sign in", href: `${appUrl}/login` },
        terms: "Nothing about your account has changed.",
        also: { sentence: "Forgot your password? Choose a new one:", href: `${appUrl}/forgot-password` },
        why: "You get this so that you know. If it was not you, there is nothing to do."
      })
  })
