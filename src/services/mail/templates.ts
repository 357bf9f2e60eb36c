/** What each mail says: `match` is exhaustive, so a new case of `Mail` does not compile until it has words. */
import type { TokenPurpose } from "../../domain/accounts/model.ts"
import { LIFETIMES } from "../../domain/accounts/rules.ts"
import { PROVEN_WITHIN } from "../../domain/erasure/rules.ts"
import { purposeOf } from "../../domain/hosting/gate-addresses.ts"
import { LIFETIME } from "../../domain/invites/rules.ts"
import { Mail } from "../../domain/ports/mailer.ts"
import { dayText } from "../../domain/words.ts"
import { letter } from "./letter.ts"
import type { Letter } from "./letter.ts"
import { plainFact, plainName, unlinked } from "./names.ts"

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** Such as `14 March 2027, 06:57 UTC`: it may be another day where the reader is. */
const moment = (iso: string): string => `${dayText(new Date(iso))}, ${clock.format(new Date(iso))} UTC`

/** `15 minutes`, `an hour`, `48 hours`. */
const lasting = (purpose: TokenPurpose): string => {
  const { minutes } = LIFETIMES[purpose]
  if (minutes % 60 !== 0) return `${minutes} minutes`
  return minutes === 60 ? "an hour" : `${minutes / 60} hours`
}

/** An invitation that lasts another number of days does not compile until it has words. */
const DAYS = { 7: "seven days" } as const

/** The query of a link: its token, if it has one, and where to go afterwards. */
const leading = (token: string | undefined, next: string | undefined): string => {
  const given = Object.entries({ token, next }).flatMap(([name, value]) => value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`])
  return given.length === 0 ? "" : `?${given.join("&")}`
}

/** Both addresses have no trailing slash. Links lead to the app or are given whole; `baseUrl` is for what the server itself answers. */
export const written = (mail: Mail, { appUrl, baseUrl }: { readonly appUrl: string; readonly baseUrl: string }): Promise<Letter> =>
  Mail.match(mail, {
    VerifyEmail: ({ name, next, token }) =>
      letter({
        subject: "Confirm your email address",
        name,
        sentence: `Confirm that this address is yours, and you can ${purposeOf(next)}.`,
        button: { label: "Confirm my address", href: `${appUrl}/verify-email${leading(token, next)}` },
        terms: `The link works once, for ${lasting("verify-email")}. An account that nobody confirms is deleted after ${PROVEN_WITHIN.days} days.`,
        why: "You get this because someone signed up for svc with this address. If it was not you, do not click: nothing is done in your name without it."
      }),
    AlreadyRegistered: ({ name, next }) =>
      letter({
        subject: "You already have an account",
        name,
        sentence: "Someone signed up for svc with this address, and it has an account already. Sign in as you always do.",
        button: { label: "Sign in", href: `${appUrl}/login${leading(undefined, next)}` },
        terms: "Nothing about your account has changed.",
        also: { sentence: "Forgot your password? Choose a new one:", href: `${appUrl}/forgot-password${leading(undefined, next)}` },
        why: "You get this so that you know. If it was not you, there is nothing to do."
      }),
    ToBeErased: ({ eraseOn, name }) =>
      letter({
        subject: "Your account is to be erased",
        name,
        sentence: `Someone signed up for svc with this address. It has an account that was deleted and will be erased on ${moment(eraseOn)}; until then nobody can sign in to it.`,
        terms: "To keep it, ask whoever runs this service before then: they can bring back all of it. To begin anew with this address, sign up again afterwards.",
        why: "You get this so that you know. If it was not you, there is nothing to do."
      }),
    MagicLink: ({ name, next, token }) =>
      letter({
        subject: "Your link to sign in",
        name,
        sentence: "Sign in to svc with this link.",
        button: { label: "Sign in", href: `${appUrl}/magic-link${leading(token, next)}` },
        terms: `The link works once, for ${lasting("magic-link")}.`,
        why: "You get this because someone asked for a link with this address. If it was not you, leave it: nothing happens without that click."
      }),
    PasswordReset: ({ name, next, token }) =>
      letter({
        subject: "Choose a new password",
        name,
        sentence: "Choose a new password for svc. It signs every browser out and revokes every token of the account.",
        button: { label: "Choose a password", href: `${appUrl}/reset-password${leading(token, next)}` },
        terms: `The link works once, for ${lasting("password-reset")}.`,
        why: "You get this because someone asked for it with this address. If it was not you, leave it: your password stays as it is."
      }),
    DeviceApproved: ({ address, client, name }) =>
      letter({
        subject: "A device was signed in",
        name,
        sentence: `You let a device sign in to your account: ${plainFact(client)}, from ${address}.`,
        button: { label: "See connected devices", href: `${appUrl}/account/connections` },
        terms: "It can do everything that you can, until you revoke it.",
        why: "You get this because a device was approved with your account. If it was not you, revoke it and change your password."
      }),
    ShareLinkOpened: ({ label, name, project, slug }) => {
      // A label is often the reader's address.
      const [reader, document] = [plainName(label) ?? plainFact(label), plainName(project) ?? plainFact(slug)]
      return letter({
        // Mail clients gather what has one subject.
        subject: `The link for ${reader} was opened: ${document}`,
        name,
        sentence: `The link for ${reader} was opened for the first time: ${document}.`,
        button: { label: "See how often it is read", href: `${appUrl}/projects/${encodeURIComponent(slug)}/analytics` },
        terms: "We only tell you about the first time; opens are still counted.",
        why: "You get this because a share link of a project that you look after was set to tell you when it is first opened."
      })
    },
    CommentDigest: ({ count, mute, name, project, quotes, url }) => {
      const unsubscribe = `${baseUrl}/comments/mute?token=${encodeURIComponent(mute)}`
      const comments = count === 1 ? "one new comment" : `${count} new comments`
      const rest = count - quotes.length
      const document = plainName(project)
      return letter({
        // Each project has its own: mail clients gather what has one subject.
        subject: `${count === 1 ? "A new comment" : "New comments"}${document === null ? "" : ` on ${document}`}`,
        name,
        sentence: `There ${count === 1 ? "is" : "are"} ${comments} on ${document ?? "a project of yours"}.`,
        quotes: quotes.map(({ about, by, text }) => ({
          caption: [plainName(by) ?? "Someone", about === "" ? "" : plainFact(about)].filter((part) => part !== "").join(", "),
          text: unlinked(text)
        })),
        button: { label: "Read and answer", href: url },
        ...(rest > 0 && quotes.length > 0 && { more: `${rest} more ${rest === 1 ? "is" : "are"} there, too.` }),
        terms: "We send new comments every quarter of an hour, if there are any.",
        also: { sentence: "No more mail about this project:", href: unsubscribe },
        why: "You get this because you look after the project, or because you wrote in the thread.",
        unsubscribe
      })
    },
    TrialNotice: ({ endsAt, linksDownOn, name, sold = true, stage, workspace, workspaceId }) => {
      const [end, down] = [moment(endsAt), moment(linksDownOn)]
      const its = plainName(workspace) ?? "your workspace"
      const { sentence, subject } = {
        ending: {
          subject: "Your trial ends soon",
          sentence: `The trial of ${its} ends on ${end}. From then on you cannot publish there, and published links go down on ${down}${sold ? ", unless you choose a plan" : ""}.`
        },
        ended: {
          subject: "Your trial has ended",
          sentence: `The trial of ${its} ended on ${end}. You cannot publish there now. Published links go on until ${down}${sold ? "; choose a plan, and everything stays up" : ""}.`
        },
        links_going_down: {
          subject: "Your links go down soon",
          sentence: `Every published link of ${its} goes down on ${down}.${sold ? " Choose a plan before then, and they stay up; later it brings all of them back." : ""}`
        }
      }[stage]
      return letter({
        subject,
        name,
        sentence,
        ...(sold && { button: { label: "Choose a plan", href: `${appUrl}/workspace/billing?workspace=${encodeURIComponent(workspaceId)}` } }),
        terms: `Nothing is deleted: what you published waits for you.${sold ? "" : " To go on, ask whoever runs this service."}`,
        why: "You get this because you are an admin of that workspace."
      })
    },
    ExportReady: ({ endsAt, name, url, workspace }) =>
      letter({
        subject: "Your export is ready",
        name,
        sentence: `Here is ${plainName(workspace) ?? "your workspace"} in one zip, as far as you may see it: each project as it is now, without earlier versions.`,
        button: { label: "Download the export", href: url },
        terms: `The link works until ${moment(endsAt)}, as often as you like, while you are an admin there. Whoever has it can download: keep it to yourself.`,
        why: "You get this because you asked for it. If it was not you, change your password."
      }),
    ExportFailed: ({ name, noRoom, workspace, workspaceId }) =>
      letter({
        subject: "Your export could not be made",
        name,
        sentence: `The export of ${plainName(workspace) ?? "your workspace"} was given up: ${noRoom ? "its archive is larger than the room that this service has left" : "the service could not make its archive in many tries"}.`,
        button: { label: "Take another", href: `${appUrl}/workspace/export?workspace=${encodeURIComponent(workspaceId)}` },
        terms: `It does not count: you may take another today. ${noRoom ? "Ask whoever runs this service to make room first." : "If that fails too, tell whoever runs this service."}`,
        why: "You get this because you asked for it. If it was not you, change your password."
      }),
    WorkspaceDeleted: ({ by, eraseOn, name, workspace }) =>
      letter({
        subject: "Your workspace is to be erased",
        name,
        sentence: `${plainName(by) ?? "An admin"} deleted ${plainName(workspace) ?? "a workspace that you are in"}. Its links are down, nobody can open it, and it will be erased on ${moment(eraseOn)} with all that is in it.`,
        terms: "To keep it, ask whoever runs this service before then: they can bring back all of it.",
        why: "You get this because you are in that workspace."
      }),
    ProjectTakenDown: ({ name, slug }) =>
      letter({
        subject: `A project was taken down: ${plainFact(slug)}`,
        name,
        sentence: `Whoever runs this service took down the project ${plainFact(slug)}: its address opens for nobody.`,
        button: { label: "See the project", href: `${appUrl}/projects/${encodeURIComponent(slug)}` },
        terms: "What is there is kept, and nothing new can be published there until they put it back. Ask them why.",
        why: "You get this because you look after the project."
      }),
    Invitation: ({ inviter, name, owner = false, token, workspace }) => {
      const named = plainName(workspace)
      const invites = `${plainName(inviter) ?? "Someone"} invites you to ${named === null ? "a workspace" : `the workspace ${named}`}`
      return letter({
        subject: invites,
        name,
        sentence: `${invites} on svc${owner ? ", as an owner" : ""}.`,
        button: { label: "Accept the invitation", href: `${appUrl}/invite?token=${encodeURIComponent(token)}` },
        terms: `The link works once, for ${DAYS[LIFETIME.days]}.`,
        why: `You get this because ${owner ? "whoever runs this service" : "an admin of that workspace"} entered this address. If you do not know them, leave it.`
      })
    }
  })
