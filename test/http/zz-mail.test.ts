/** ad hoc */
import { afterAll, assert, it } from "vitest"
import { clearAway, eventually, newFolder, serve } from "../support/program.ts"
import { openPostOffice } from "../support/post-office.ts"
afterAll(clearAway, 90_000)
for (const signal of ["SIGKILL", "SIGTERM"] as const) it(signal, async () => {
  const post = await openPostOffice()
  const env = { SVC_DATA_DIR: newFolder(), SVC_SMTP_URL: post.url }
  let p = await serve(env)
  post.refuse(true)
  for (const n of [1,2,3]) assert.strictEqual((await p.ask("/v1/auth/signup", { json: { email: `a${n}@example.com`, password: "correct horse battery staple" } })).status, 202)
  await eventually("tried", () => new Set(post.attempts.flatMap(a => a.recipients)).size === 3)
  let t = performance.now()
  await p.end(signal)
  console.log("ended", performance.now() - t)
  p = await serve(env)
  post.refuse(false)
  t = performance.now()
  await eventually("delivered", () => [1,2,3].every(n => post.lettersTo(`a${n}@example.com`).length === 1), 60)
  console.log("delivered", performance.now() - t, post.attempts.length)
  t = performance.now()
  const e = await p.end()
  console.log("ended", performance.now() - t, e.stderr)
  await post.stop()
}, 120_000)
