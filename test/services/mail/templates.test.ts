/** The text of mails, and what no input can make them say. */
import { assert, describe, it } from "@effect/vitest"
import type { Mail } from "../../../src/domain/ports/mailer.ts"
import { WorkspaceId } from "../../../src/domain/workspaces/model.ts"
import { plainFact, plainName, unlinked } from "../../../src/services/mail/names.ts"
import { written } from "../../../src/services/mail/templates.ts"
import { growth } from "../../support/growth.ts"

const appUrl = "https://app.svc.example"
const baseUrl = "https://svc.example"
const samples: { readonly [Tag in Mail["_tag"]]: { readonly mail: (name: string) => Mail; readonly links: ReadonlyArray<string> } } = {
  VerifyEmail: {
    mail: (name) => ({ _tag: "VerifyEmail", to: "ada@example.com", name, token: "t-_0+/", next: "/connect?a=1" }),
    links: [`${appUrl}/verify-email?token=t-_0%2B%2F&next=%2Fconnect%3Fa%3D1`]
  },
  AlreadyRegistered: {
    mail: (name) => ({ _tag: "AlreadyRegistered", to: "ada@example.com", name, next: "/connect" }),
    links: [`${appUrl}/login?next=%2Fconnect`, `${appUrl}/forgot-password?next=%2Fconnect`]
  },
  ToBeErased: {
    mail: (name) => ({ _tag: "ToBeErased", to: "ada@example.com", name, eraseOn: "2027-03-14T23:59:59.999Z" }),
    links: []
  },
  MagicLink: {
    mail: (name) => ({ _tag: "MagicLink", to: "ada@example.com", name, token: "t-_0+/", next: "/v1/gate/comment?slug=a&next=%2Fb" }),
    links: [`${appUrl}/magic-link?token=t-_0%2B%2F&next=%2Fv1%2Fgate%2Fcomment%3Fslug%3Da%26next%3D%252Fb`]
  },
  PasswordReset: {
    mail: (name) => ({ _tag: "PasswordReset", to: "ada@example.com", name, token: "t-_0+/" }),
    links: [`${appUrl}/reset-password?token=t-_0%2B%2F`]
  },
  DeviceApproved: {
    mail: (name) => ({ _tag: "DeviceApproved", to: "ada@example.com", name, client: "svc-cli/0.1.0 https://elsewhere.example/\r\nx", address: "192.0.2.7" }),
    links: [`${appUrl}/account/connections`]
  },
  ShareLinkOpened: {
    mail: (name) => ({ _tag: "ShareLinkOpened", to: "ada@example.com", name, label: "Acme", project: "Q3 report", slug: "q3-report" }),
    links: [`${appUrl}/projects/q3-report/analytics`]
  },
  CommentDigest: {
    mail: (name) => ({
      _tag: "CommentDigest", to: "ada@example.com", name, project: "Q3 report", url: "https://q3.svc.example", count: 3, mute: "t-_0+/",
      quotes: [{ by: name, about: "on page 3", text: "<b>Look</b> at elsewhere" }, { by: "Grace", about: "", text: "So do I" }]
    }),
    links: ["https://q3.svc.example", `${baseUrl}/comments/mute?token=t-_0%2B%2F`]
  },
  TrialNotice: {
    mail: (name) => ({
      _tag: "TrialNotice", to: "ada@example.com", name, stage: "ending", workspaceId: "w-1", workspace: "Compilers",
      endsAt: "2027-03-14T23:59:59.999Z", linksDownOn: "2027-04-13T23:59:59.999Z"
    }),
    links: [`${appUrl}/workspace/billing?workspace=w-1`]
  },
  ExportReady: {
    mail: (name) => ({
      _tag: "ExportReady", to: "ada@example.com", name, workspace: "Compilers",
      url: "https://svc.example/v1/exports/e-1/download?token=t-_0", endsAt: "2027-03-14T23:59:59.999Z"
    }),
    links: ["https://svc.example/v1/exports/e-1/download?token=t-_0"]
  },
  ExportFailed: {
    mail: (name) => ({ _tag: "ExportFailed", to: "ada@example.com", name, workspaceId: "w-1", workspace: "Compilers", noRoom: true }),
    links: [`${appUrl}/workspace/export?workspace=w-1`]
  },
  ProjectTakenDown: {
    mail: (name) => ({ _tag: "ProjectTakenDown", to: "ada@example.com", name, slug: "q3-report" }),
    links: [`${appUrl}/projects/q3-report`]
  },
  WorkspaceDeleted: {
    mail: (name) => ({ _tag: "WorkspaceDeleted", to: "ada@example.com", name, by: "Grace", workspaceId: WorkspaceId.make("019e0000-0000-7000-8000-000000000001"), workspace: "Compilers", eraseOn: "2027-03-14T23:59:59.999Z" }),
    links: []
  },
  Invitation: {
    mail: (name) => ({ _tag: "Invitation", to: "ada@example.com", name, inviter: "Grace", workspace: "Compilers", token: "t-_0+/" }),
    links: [`${appUrl}/invite?token=t-_0%2B%2F`]
  }
}
const occurrences = (text: string, part: string): number => text.split(part).length - 1

describe.each(Object.entries(samples))("%s", (_, { links, mail }) => {
  it("has a subject, HTML and text, and each link once in the text", async () => {
    const { html, subject, text } = await written(mail("Ada"), { appUrl, baseUrl })
    assert.match(subject, /^[A-Z][\w ]+(?:: (?:Q3 report|q3-report))?$/)
    assert.include(text, "Hello Ada,")
    assert.include(html, "Hello Ada,")
    for (const link of links) {
      assert.strictEqual(occurrences(text, link), 1)
      assert.include(html, `href="${link.replaceAll("&", "&amp;")}"`)
    }
    assert.notMatch(text + html, /undefined|null|\[object/)
  })

  it("links to the application, to a project's own address, and to nothing else", async () => {
    const { html, text } = await written(mail("Ada"), { appUrl, baseUrl })
    for (const [address] of (text + html).matchAll(/https?:\/\/[^\s"<]+/g)) assert.isTrue(address.startsWith(`${appUrl}/`) || links.includes(address), address)
    assert.notInclude(html, "<img")
  })

  it("is one page for light and dark, with one button where there is something to open, and nothing that runs or waits", async () => {
    const { html } = await written(mail("Ada"), { appUrl, baseUrl })
    assert.isTrue(html.startsWith("<!doctype html>\n<html lang=\"en\">"))
    assert.include(html, "@media (prefers-color-scheme:dark)")
    assert.strictEqual(occurrences(html, `class="key"`), links.length === 0 ? 0 : 1)
    assert.notMatch(html, /<!--|<script|<template|<link|url\(/)
  })

  it("takes no markup, no line and no header from a name", async () => {
    const plain = await written(mail(""), { appUrl, baseUrl })
    const letter = await written(mail("<script>x</script>\r\nBcc: all of them"), { appUrl, baseUrl })
    assert.notInclude(letter.html, "<script")
    assert.include(letter.html, "&lt;script&gt;x&lt;/script&gt; Bcc: all of them")
    assert.strictEqual(letter.subject, plain.subject)
    assert.notInclude(letter.text, "\r")
    assert.strictEqual(letter.text.split("\n").length, plain.text.split("\n").length)
  })

  it("keeps a name out of the subject, and out of the mail when it reads as an advertisement", async () => {
    const name = "Win big at evil.example"
    const letter = await written(mail(name), { appUrl, baseUrl })
    for (const part of [letter.subject, letter.html, letter.text]) assert.notInclude(part, "evil")
  })
})

it("says in its subject whose link was opened, in one line without a way out", async () => {
  const opened = samples.ShareLinkOpened.mail("Ada") as Extract<Mail, { readonly _tag: "ShareLinkOpened" }>
  for (const [label, project, subject] of [
    ["Acme", "Q3 report", "The link for Acme was opened: Q3 report"],
    ["grace@acme.example", "Q3 report", "The link for grace@acme.\u200bexample was opened: Q3 report"],
    ["Acme https://elsewhere.example/\r\nBcc: all", "See evil.example", "The link for Acme elsewhere.\u200bexample/ Bcc: all was opened: q3-report"],
    ["Acme", "Made by Northwind Inc.", "The link for Acme was opened: Made by Northwind Inc."],
    ["דנה", "Q3 report", "The link for \u2068דנה\u2069 was opened: Q3 report"],
    ["a".repeat(100), "b".repeat(200), `The link for ${"a".repeat(59)}… was opened: ${"b".repeat(59)}…`]
  ] as const) {
    const letter = await written({ ...opened, label, project }, { appUrl, baseUrl })
    assert.strictEqual(letter.subject, subject)
    // The name that it ends with may end the sentence, too.
    assert.include(letter.text, `${subject.replace(" was opened: ", " was opened for the first time: ")}${/[.…]\u2069?$/.test(subject) ? "" : "."}\n`)
  }
})

it("says in its subject which project has new comments, unless its title is no name", async () => {
  const digest = samples.CommentDigest.mail("Ada") as Extract<Mail, { readonly _tag: "CommentDigest" }>
  for (const [count, project, subject] of [
    [3, "Q3 report", "New comments on Q3 report"],
    [1, "דוח", "A new comment on \u2068דוח\u2069"],
    [1, "See evil.example", "A new comment"]
  ] as const) assert.strictEqual((await written({ ...digest, count, project }, { appUrl, baseUrl })).subject, subject)
})

it("offers a plan only where plans are sold", async () => {
  const notice = samples.TrialNotice.mail("Ada") as Extract<Mail, { readonly _tag: "TrialNotice" }>
  for (const stage of ["ending", "ended", "links_going_down"] as const) {
    const [sold, unsold] = [await written({ ...notice, stage, sold: true }, { appUrl, baseUrl }), await written({ ...notice, stage, sold: false }, { appUrl, baseUrl })]
    assert.deepStrictEqual([/choose a plan/i.test(sold.text), sold.html.includes(`class="key"`)], [true, true])
    assert.deepStrictEqual([/choose|https:/i.test(unsold.text), unsold.html.includes(`class="key"`)], [false, false])
    assert.include(unsold.text, "To go on, ask whoever runs this service.")
    assert.deepStrictEqual(await written({ ...notice, stage }, { appUrl, baseUrl }), sold)
  }
})

it("says who entered the address of a guest, and whether they are to own the workspace, and what of a workspace an export is without", async () => {
  const invitation = samples.Invitation.mail("") as Extract<Mail, { readonly _tag: "Invitation" }>
  for (const [owner, as, by] of [[true, ", as an owner", "whoever runs this service"], [false, "", "an admin of that workspace"], [undefined, "", "an admin of that workspace"]] as const) {
    const { html, text } = await written({ ...invitation, ...(owner !== undefined && { owner }) }, { appUrl, baseUrl })
    for (const part of [html, text]) {
      assert.include(part, `on svc${as}.`)
      assert.include(part, `You get this because ${by} entered this address.`)
    }
  }
  const { html, text } = await written(samples.ExportReady.mail("Ada"), { appUrl, baseUrl })
  for (const part of [html, text]) assert.include(part, "Here is Compilers in one zip, as far as you may see it: each project as it is now, without earlier versions.")
})

it("says after the last quote how many more there are, and always how often it comes", async () => {
  const digest = samples.CommentDigest.mail("Ada") as Extract<Mail, { readonly _tag: "CommentDigest" }>
  const [terms, more] = ["We send new comments every quarter of an hour, if there are any.", /\d+ more (?:is|are) there, too\./]
  for (const [count, quotes, said] of [[3, digest.quotes, "1 more is there, too."], [4, digest.quotes, "2 more are there, too."], [2, digest.quotes], [4, []]] as const) {
    const { html, text } = await written({ ...digest, count, quotes }, { appUrl, baseUrl })
    for (const part of [html, text]) {
      assert.include(part, terms)
      assert.strictEqual(more.exec(part)?.[0], said)
      if (said !== undefined) assert.isTrue(part.indexOf("So do I") < part.indexOf(said) && part.indexOf(said) < part.indexOf("Read and answer"))
    }
  }
})

it("sets a quote in the direction of its script, and lets no name turn the sentence around it", async () => {
  const digest = samples.CommentDigest.mail("دانا") as Extract<Mail, { readonly _tag: "CommentDigest" }>
  const quotes = [{ by: "עדה", about: "on page 3", text: "هل نمت 12 %?" }, { by: "Grace", about: "", text: "So do I" }]
  const { html, text } = await written({ ...digest, project: "تقرير Q3", quotes }, { appUrl, baseUrl })
  for (const part of [html, text]) {
    for (const one of ["Hello \u2068دانا\u2069,", "on \u2068تقرير Q3\u2069.", "\u2068עדה\u2069, on page 3"]) assert.include(part, one)
  }
  for (const words of ["هل نمت 12 %?", "So do I"]) assert.match(html, new RegExp(`<p dir="auto"[^>]*text-align:start[^>]*>${words.replace("?", "\\?")}</p>`))
  for (const words of ["> \u2068هل نمت 12 %?\u2069\n", "> So do I\n"]) assert.include(text, words)
})

it("says how long its link works", async () => {
  for (const [tag, words] of [["VerifyEmail", "48 hours"], ["MagicLink", "15 minutes"], ["PasswordReset", "an hour"]] as const) {
    const { html, text } = await written(samples[tag].mail("Ada"), { appUrl, baseUrl })
    for (const part of [html, text]) assert.include(part, `The link works once, for ${words}.`)
  }
})

it("says the moment until which something lasts, since it may be another day where the reader is", async () => {
  for (const tag of ["TrialNotice", "ExportReady"] as const) {
    const { html, text } = await written(samples[tag].mail("Ada"), { appUrl, baseUrl })
    for (const part of [html, text]) assert.include(part, "14 March 2027, 23:59 UTC")
  }
})

it("a fact is 120 characters at most, and its schemes are looked for once", () => {
  assert.strictEqual(plainFact("a".repeat(500)), "a".repeat(120))
  assert.strictEqual(plainFact("see http://evil.example www.evil.example"), "see evil.\u200bexample evil.\u200bexample")
  assert.isBelow(growth((size) => plainFact("w".repeat(size)), 4_000), 9)
})

const HOSTS = [
  "example.भारत", "हिन्दी.com", "evil.বাংলা", "secure.சிங்கப்பூர்", "x.संगठन", "i❤.ws", "i❤\ufe0f.ws", "👍🏽.ws", "🇩🇪.ws", "example.ا\u200cیران", "1.2.3.4", "10.20。30．40"
] as const

it("breaks every host of other people's words, and no address of ours", async () => {
  for (const host of HOSTS) assert.match(unlinked(`see ${host}/x`), /[.。．｡]\u200b/u, host)
  for (const text of ["It grew by 1.5 to 2.5.", "v1.2.3", "J. R. R. Tolkien", "डॉ. राम", "so… yes"]) assert.strictEqual(unlinked(text), text)
  const { html, text } = await written(samples.DeviceApproved.mail("Ada"), { appUrl, baseUrl })
  for (const part of [html, text]) assert.include(part, "from 192.0.2.7.")
  const digest = samples.CommentDigest.mail("Ada") as Extract<Mail, { readonly _tag: "CommentDigest" }>
  const quoting = await written({ ...digest, quotes: [{ by: "Grace", about: "in https://evil.example\r\nBcc: all", text: "See evil.example." }] }, { appUrl, baseUrl })
  for (const part of [quoting.html, quoting.text]) {
    assert.include(part, "Grace, in evil.\u200bexample Bcc: all")
    assert.include(part, "See evil.\u200bexample.")
  }
})

describe("plainName", () => {
  it.each([
    "Ada Lovelace", "J. R. R. Tolkien", "Dr. Ng", "María-José O’Brien", "王小明", "Henry 8", "श्री\u200dनाथ", "डॉ. राम", "Ada 👩\u200d💻", "葛\u{e0100}飾"
  ])("keeps %s", (name) => {
    assert.strictEqual(plainName(name), name)
  })

  it.each([...HOSTS])("drops %s", (name) => {
    for (const one of [name, `see ${name}/reset`]) assert.isNull(plainName(one))
  })

  it.each([
    "http://evil.example", "evil.example", "www.evil", "EVIL．example", "x@evil", "x＠evil", "http：／／evil", "www.9evil", "//evil", "call 0800 123 456", "", " \t ", "\u202e\u200b"
  ])("drops %j", (name) => {
    assert.isNull(plainName(name))
  })

  it("is one line without hidden marks, 60 characters at most", () => {
    assert.strictEqual(plainName("A\r\nB\u0000\u2028C\u202e"), "A B C")
    const long = plainName("é".repeat(400))
    assert.lengthOf([...(long ?? "")], 60)
    assert.isTrue(long?.endsWith("…"))
  })
})
