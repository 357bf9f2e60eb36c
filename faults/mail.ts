/** The mail server refusing, unreachable and silent, and a worker killed in between: every letter goes out, none twice. */
import { setTimeout as wait } from "node:timers/promises"
import { elsewhere } from "../test/support/newcomers.ts"
import { eventually } from "../test/support/program.ts"
import type { Fault } from "./faults.ts"
import { openGround } from "./ground.ts"
import { openProxy } from "./proxy.ts"

export const mail: Fault = async ({ note, quick, tell }) => {
  const [letters, ms] = quick ? [10, 4_000] : [40, 25_000]
  const ground = await openGround()
  const { post } = ground
  const way = await openProxy(Number(new URL(post.url).port))
  const own = { SVC_SMTP_URL: `smtp://127.0.0.1:${way.port}` }
  let worker = await ground.start({ ...own, SVC_ROLE: "worker" })
  const program = await ground.start({ ...own, SVC_ROLE: "http" })
  const wrong: Array<string> = []
  const emails = Array.from({ length: letters }, (_, index) => `reader-${index}@example.com`)

  const signUp = async (some: ReadonlyArray<string>) => {
    for (const email of some) {
      const { status, text } = await program.ask("/v1/auth/signup", { json: { email, password: "correct horse battery staple" }, headers: elsewhere() })
      if (status !== 202) wrong.push(`a request that needs a mail: ${status} ${text}`)
    }
  }
  const late = letters / 5

  post.refuse(true)
  const asked = performance.now()
  await signUp(emails.slice(late))
  tell("busy (451)")
  await wait(ms)
  tell("nobody listens")
  await way.become("refused")
  await wait(ms)
  tell("the worker is killed")
  await worker.end("SIGKILL")
  worker = await ground.start({ ...own, SVC_ROLE: "worker" })
  tell("silent")
  const hits = way.hits()
  await way.become("silent")
  // Those of before may all be in a pause.
  await signUp(emails.slice(0, late))
  await wait(ms)
  const silenced = way.hits() - hits
  // Instances that only answer requests need no mail server.
  const ready = await program.ask("/readyz")
  if (ready.status !== 200) wrong.push(`/readyz ${ready.text}`)
  post.refuse(false)
  await way.become("open")
  const outage = (performance.now() - asked) / 1000
  const began = performance.now()
  await eventually("every letter is there", () => emails.every((email) => post.lettersTo(email).length > 0), 300)
  const back = performance.now() - began
  // Any duplicate would come with the next tries.
  await wait(quick ? 2_000 : 10_000)
  for (const email of emails) {
    if (post.lettersTo(email).length !== 1) wrong.push(`a letter came ${post.lettersTo(email).length} times`)
    const ids = new Set(post.attempts.filter(({ recipients }) => recipients.includes(email)).map(({ mail }) => mail.messageId))
    if (ids.size !== 1) wrong.push(`a letter under ${ids.size} Message-IDs`)
  }
  const refused = post.attempts.filter(({ taken }) => !taken).length
  if (refused === 0) wrong.push("no try was refused, so nothing was tried")
  if (silenced === 0) wrong.push("no try met silence")
  note("pauses between tries double up to five minutes for a day, whenever the server is back; an hour of refusals passes by a clock of its own in test/workers/deliver-mail.test.ts")
  return [{
    course: "mail", fault: `SMTP busy, away and silent for ${outage.toFixed(0)} s in all, the worker killed in between`,
    meanwhile: `${letters} letters asked for, ${refused} tries refused, ${silenced} met silence; each came once, under one Message-ID`, wrong, back: [back]
  }]
}
