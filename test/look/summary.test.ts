/** The lines a terminal shows at start. */
import { assert, describe, it } from "@effect/vitest"
import { demoSummary, summary, workerSummary } from "../../src/look/summary.ts"

const base = "http://svc.localhost:8787"
const demo = { email: "demo@example.com", password: "walnut-harbour", token: "svc_abc", sampleUrl: "http://q3-report.svc.localhost:8787" }
const facts = { baseUrl: base, mailbox: `${base}/_dev/mail`, docs: `${base}/docs`, demo, startedMs: 1234, colour: false }

describe("summary", () => {
  it("names every address and the demo, and one line that publishes", () => {
    const text = summary(facts)
    for (const value of [base, facts.mailbox, facts.docs, demo.email, demo.password, demo.token, demo.sampleUrl, "1.2 s"]) assert.include(text, value)
    const line = text.split("\n").find((each) => each.includes("curl -sT")) ?? ""
    assert.include(line, `${base}/v1/projects/hello -H 'Authorization: Bearer svc_abc'`)
  })

  it("uses colour only when told to", () => {
    assert.notInclude(summary(facts), "\x1b")
    assert.include(summary({ ...facts, colour: true }), "\x1b[")
  })

  it("leaves out what is not there, and lines its values up", () => {
    const text = summary({ ...facts, mailbox: null, demo: null })
    assert.notMatch(text, /Mailbox|Token|null|undefined/)
    const columns = text.split("\n").flatMap((line) => /^ {2}(?:Open|Docs|Sign up) +/.exec(line)?.[0].length ?? [])
    assert.deepStrictEqual(columns, [12, 12, 12])
    assert.notMatch(demoSummary({ ...facts, demo: { ...demo, sampleUrl: null } }), /Sample|null/)
  })

  it("of the demo account alone is its rows, and says nothing of a service that answers", () => {
    const text = demoSummary(facts)
    for (const value of [demo.email, demo.password, demo.token, demo.sampleUrl]) assert.include(text, value)
    assert.notMatch(text, /is up|Open|\x1b/)
  })

  it("of a worker names no address, since it listens on nothing", () => {
    const text = workerSummary(facts)
    assert.match(text, /svc works, after 1\.2 s/)
    assert.notInclude(text, "http")
  })
})
