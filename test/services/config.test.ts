/** Settings: what each variable refuses and with which message, what it makes of a right value, and how a start is refused. */
import { Effect, Redacted } from "effect"
import { Server } from "node:http"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { listen } from "../../src/http/server/listening.ts"
import { loadConfig, SETTINGS } from "../../src/services/config.ts"
import { clearAway, launch, newFolder } from "../support/program.ts"
import type { Environment } from "../support/program.ts"

const load = (environment: Environment) => Effect.runPromise(loadConfig(environment))
const refusal = (environment: Environment) => Effect.runPromise(Effect.map(Effect.flip(loadConfig(environment)), ({ message }) => message))

const SECRET = "k".repeat(32)
const ELSEWHERE = { SVC_DATABASE_URL: "postgres://svc@127.0.0.1:1/svc", SVC_SECRET: SECRET, SVC_SMTP_URL: "smtp://127.0.0.1:1" }

/** Typical wrong values. Variables without any accept everything but an empty value. */
const WRONG: Record<keyof typeof SETTINGS, ReadonlyArray<string>> = {
  SVC_HOST: [],
  SVC_PORT: ["http", "-1", "65536", "80.5", "0x50", "1e3", " 80", "NaN", "８０"],
  SVC_BASE_URL: ["example.com", "ftp://example.com", "http://", "https://user:pass@example.com", "https://example.com/?a", "https://example.com/#a", "https://example.com/svc", "https:example.com", "https:///example.com", "https:\\\\example.com", "https://example.com\\", " https://example.com", "https://example.com\n", "https://exam\tple.com", "https://example.com?", "https://example.com/#"],
  SVC_APP_URL: ["localhost:5173", "/app", "https://example.com/app/", "https:app.example.com", "https://app.example.com\r"],
  SVC_CONTENT_DOMAIN: ["https://example.com", "Example.com", "example.com/", ".example.com", "a..b", "a-.b", "-a", "127.0.0.1", "example.com:99999"],
  SVC_DATA_DIR: [],
  SVC_DATABASE_URL: ["mysql://root:hunter2@host/db", "host=localhost password=hunter2", "svc"],
  SVC_S3_BUCKET: [],
  SVC_S3_ENDPOINT: ["s3.example.com", "s3://bucket", "https://s3.example.com?"],
  SVC_S3_REGION: [],
  SVC_S3_FORCE_PATH_STYLE: ["yes", "1", "TRUE"],
  SVC_SMTP_URL: ["mail.example.com:587", "http://user:hunter2@host", "smtp:", "smtp://"],
  SVC_MAIL_FROM: ["svc", "svc <hello@example.com", "hello@example.com>", "a@example.com\r\nBcc: b@example.com", "<script>@example.com"],
  SVC_SECRET: ["hunter2", "k".repeat(31)],
  SVC_SECRET_PREVIOUS: ["hunter2"],
  SVC_IDP_ISSUER: ["accounts.example.com", "https:accounts.example.com", "https://accounts.example.com\n", "https://example.com/?a", "http://accounts.example.com", "http://127.0.0.1.example.com"],
  SVC_IDP_CLIENT_ID: [],
  SVC_IDP_CLIENT_SECRET: [],
  SVC_STRIPE_SECRET_KEY: [],
  SVC_STRIPE_WEBHOOK_SECRET: [],
  SVC_STRIPE_PRICES: ["price_1", "[]", "{}", "{\"studio\":{}}", "{\"studio\":\"price_1\"}", "{\"studio\":{\"month\":1}}", "{\"free\":{\"month\":\"a\"}}", "{\"studio\":{\"week\":\"a\"}}", "{\"studio\":{\"month\":\"a\",\"year\":\"a\"}}"],
  SVC_STRIPE_API_URL: ["api.stripe.com"],
  SVC_REDIS_URL: ["localhost:6379", "http://user:hunter2@host", "redis://host/limits", "redis://host/-1", "redis://:100%@host", "redis://:%E4@host"],
  SVC_TRIAL: ["closed", "Open"],
  SVC_PLATFORM_ADMINS: ["ada", "ada@host", "a@example.com;b@example.com", "Ada <ada@example.com>"],
  SVC_SECURITY_CONTACT: ["security", "http://example.com/report", "mailto:security@example.com", "a@example.com\nContact: b@example.com"],
  SVC_TRUSTED_PROXY_HOPS: ["true", "-1", "11", "1.5"],
  SVC_ROLE: ["web", "HTTP"],
  SVC_DRAIN_SECONDS: ["5s", "-1", "301", "1.5"],
  SVC_LOG: ["debug", "JSON"],
  SVC_OTLP_URL: ["collector:4318", "http://collector:4318 "],
  SVC_DEV_MAIL: ["true", "closed"]
}

describe("which values the variables take", () => {
  it("refuses every wrong value in one line: the variable, what it held unless that is secret, what it wants", async () => {
    for (const [name, { secret, wants }] of Object.entries(SETTINGS)) {
      for (const value of WRONG[name as keyof typeof SETTINGS]) {
        const message = await refusal({ ...ELSEWHERE, [name]: value })
        const held = secret ? `${value.length} characters (hidden)` : JSON.stringify(value)
        assert.strictEqual(message, `${name} holds ${held}; it wants ${wants}.`)
        assert.notMatch(message, /[\r\n]|hunter2/)
      }
      await load({ ...ELSEWHERE, [name]: name in ELSEWHERE ? ELSEWHERE[name as keyof typeof ELSEWHERE] : "" })
    }
  })

  it("names the companion that is missing", async () => {
    const without = (name: keyof typeof ELSEWHERE) => Object.fromEntries(Object.entries(ELSEWHERE).filter(([key]) => key !== name))
    assert.match(await refusal(without("SVC_SECRET")), /^SVC_SECRET is missing; with SVC_DATABASE_URL it wants at least 32 bytes, .+\.$/)
    assert.match(await refusal(without("SVC_SMTP_URL")), /^SVC_SMTP_URL is missing; with SVC_DATABASE_URL it wants smtp:.+\.$/)
    assert.match(await refusal({ SVC_ROLE: "worker" }), /^SVC_ROLE holds "worker"; .+SVC_DATABASE_URL\.$/)
  })

  it("takes all of a group or none of it: a group that is half set is not ignored", async () => {
    const stripe = { SVC_STRIPE_SECRET_KEY: "sk", SVC_STRIPE_WEBHOOK_SECRET: "whsec", SVC_STRIPE_PRICES: "{\"studio\":{\"month\":\"a\"}}" }
    for (const name of Object.keys(stripe)) {
      assert.match(await refusal({ ...stripe, [name]: "" }), new RegExp(`^${name} is missing; with SVC_STRIPE_\\w+ it wants .+\\.$`))
      assert.match(await refusal({ [name]: stripe[name as keyof typeof stripe] }), new RegExp(`^SVC_STRIPE_\\w+ is missing; with ${name} it wants .+\\.$`))
    }
    assert.match(await refusal({ SVC_STRIPE_API_URL: "http://localhost:1" }), /^SVC_STRIPE_SECRET_KEY is missing; with SVC_STRIPE_API_URL /)
    const s3 = { SVC_S3_ENDPOINT: "http://localhost:9000", SVC_S3_REGION: "eu-central-1", SVC_S3_FORCE_PATH_STYLE: "true" }
    for (const [name, value] of Object.entries(s3)) {
      assert.strictEqual(await refusal({ [name]: value }), `SVC_S3_BUCKET is missing; with ${name} it wants a bucket’s name.`)
    }
    assert.isDefined((await load({ ...s3, SVC_S3_BUCKET: "b" })).s3)
  })

  it("warns of an identity provider that is half set, and starts", async () => {
    const idp = { SVC_IDP_ISSUER: "https://idp.example.com", SVC_IDP_CLIENT_ID: "svc", SVC_IDP_CLIENT_SECRET: "hunter2" }
    assert.deepStrictEqual((await load(idp)).warnings, [])
    for (const name of Object.keys(idp)) {
      const { idp: provider, warnings } = await load({ ...idp, [name]: "" })
      assert.isUndefined(provider)
      assert.lengthOf(warnings, 1)
      assert.match(warnings[0]!, new RegExp(`^${name} is missing; with SVC_IDP_\\w+ it wants [^\n]+\\.$`))
      assert.notInclude(warnings[0]!, "hunter2")
    }
  })

  it("warns of a service for others that sends no mail, and of none that is asked for by its own machine", async () => {
    const base = { SVC_BASE_URL: "https://svc.example.com", SVC_TRUSTED_PROXY_HOPS: "1" }
    const { warnings } = await load(base)
    assert.lengthOf(warnings, 1)
    assert.match(warnings[0]!, /^SVC_SMTP_URL is missing; for others than this machine it wants smtp:[^\n]+\.$/)
    for (const fine of [{}, { SVC_BASE_URL: "http://svc.localhost:9000" }, { ...base, SVC_SMTP_URL: "smtp://mail.example.com" }, { ...base, SVC_DEV_MAIL: "open" }, ELSEWHERE]) {
      assert.deepStrictEqual((await load(fine)).warnings, [], JSON.stringify(fine))
    }
  })

  it("warns of a proxy that it is not told to count with", async () => {
    const base = { SVC_BASE_URL: "https://svc.example.com", SVC_SMTP_URL: "smtp://mail.example.com" }
    const { warnings } = await load(base)
    assert.lengthOf(warnings, 1)
    assert.match(warnings[0]!, /^SVC_TRUSTED_PROXY_HOPS is missing; with an https address in SVC_BASE_URL it wants [^\n]+\.$/)
    for (const fine of [{ ...base, SVC_TRUSTED_PROXY_HOPS: "0" }, { ...base, SVC_BASE_URL: "http://svc.example.com" }, { ...ELSEWHERE, ...base, SVC_ROLE: "worker" }]) {
      assert.deepStrictEqual((await load(fine)).warnings, [], JSON.stringify(fine))
    }
  })

  it("refuses what can only be a slip in a variable's name", async () => {
    assert.strictEqual(await refusal({ SVC_SMTP_URI: "smtp://127.0.0.1:1" }), "SVC_SMTP_URI is not a variable of svc; write SVC_SMTP_URL, or unset it.")
    assert.match(await refusal({ ...ELSEWHERE, SVC_SMTP_URL: "", SVC_SMTPURL: "hunter2" }), /^SVC_SMTPURL is not .* SVC_SMTP_URL/)
    const slips = { SVC_DATABASE_ULR: "DATABASE_URL", SVC_SECERT: "SECRET", SVC_BASEURL: "BASE_URL", SVC_SMPT_URL: "SMTP_URL", SVC_DTA_DIR: "DATA_DIR", SVC_DATTA_DIR: "DATA_DIR", SVC_BAE_URL: "BASE_URL", SVC_APPS_URL: "APP_URL", SVC_STRIPE_PRICE: "STRIPE_PRICES", SVC_ROEL: "ROLE", SVC_PRT: "PORT", SVC_PROT: "PORT", SVC_TRUSTED_PROXYS_HOP: "TRUSTED_PROXY_HOPS" }
    for (const [slip, meant] of Object.entries(slips)) assert.include(await refusal({ [slip]: "hunter2" }), `${slip} is not a variable of svc; write SVC_${meant},`)
  })

  it("warns of any other name, since whoever starts the service may have variables of that prefix too", async () => {
    for (const name of ["HOME", "TAG", "MODE", "USER", "NAME", "HOSTS", "PORTS", "LOGS", "API_URL", "DATE_DIR", "DB_URL", "LOG_LEVEL", "SECRET_FILE", "SERVICE_NAME"]) {
      assert.deepStrictEqual((await load({ [`SVC_${name}`]: "1" })).warnings, [`SVC_${name} is not a variable of svc and changes nothing.`])
    }
    // What a slip would have meant is set: the other one is somebody else's.
    assert.deepStrictEqual((await load({ ...ELSEWHERE, SVC_SMTP_URI: "1" })).warnings, ["SVC_SMTP_URI is not a variable of svc and changes nothing."])
    const others = { SVC_SMTP_URI: "", SVC_TOKEN: "svc_…", SVC_AUTHORIZATION: "Bearer svc_…", SVCS_PORT: "1" }
    assert.deepStrictEqual((await load(others)).warnings, [])
  })

  it("leaves out what Kubernetes sets for a Service of this name", async () => {
    const address = "tcp://10.0.0.1:8787"
    const links = {
      SVC_SERVICE_HOST: "10.0.0.1", SVC_SERVICE_PORT: "8787", SVC_SERVICE_PORT_HTTP: "8787", SVC_PORT: address, SVC_PORT_8787_TCP: address,
      SVC_PORT_8787_TCP_PROTO: "tcp", SVC_PORT_8787_TCP_PORT: "8787", SVC_PORT_8787_TCP_ADDR: "10.0.0.1", SVC_DATABASE_SERVICE_HOST: "10.0.0.2", SVC_DATABASE_PORT: "tcp://10.0.0.2:5432"
    }
    const { port, warnings } = await load(links)
    assert.deepStrictEqual([port, warnings], [8787, []])
    assert.lengthOf((await load({ SVC_SMTP_PORT: "587" })).warnings, 1)
  })

  it("wants a content domain where the base address is an IP address, which has no names below it", async () => {
    for (const base of ["http://127.0.0.2:28742", "http://[::1]:8787", "https://203.0.113.7"]) {
      assert.match(await refusal({ SVC_BASE_URL: base }), /^SVC_CONTENT_DOMAIN is missing; .*: nothing can be named below an IP address\.$/)
      assert.strictEqual((await load({ SVC_BASE_URL: base, SVC_CONTENT_DOMAIN: "pages.example.com" })).contentDomain, "pages.example.com")
    }
  })

  it("wants an address beside a port that is chosen at the start, since every link would name port 0", async () => {
    assert.match(await refusal({ SVC_PORT: "0" }), /^SVC_PORT holds "0"; without SVC_BASE_URL it wants 1 to 65535: /)
    assert.include(await load({ SVC_PORT: "0", SVC_BASE_URL: "https://svc.example.com" }), { port: 0, contentDomain: "svc.example.com" })
  })

  it("writes an address as browsers do, whose origin every link and cookie is compared with", async () => {
    for (const given of ["https://SVC.Example.com", "HTTPS://svc.example.com:443/", "https://svc.example.com//"]) {
      assert.include(await load({ SVC_BASE_URL: given, SVC_APP_URL: given }), { baseUrl: "https://svc.example.com", appUrl: "https://svc.example.com", contentDomain: "svc.example.com" }, given)
    }
    assert.strictEqual((await load({ SVC_BASE_URL: "http://localhost:8787" })).baseUrl, "http://localhost:8787")
    assert.include(await load({ SVC_PORT: "80" }), { baseUrl: "http://svc.localhost", contentDomain: "svc.localhost" })
    assert.strictEqual((await load({ SVC_OTLP_URL: "http://Collector:4318/v1/" })).otlpUrl, "http://collector:4318/v1")
    // A provider's name is compared exactly, so it stays as it is written.
    const idp = { SVC_IDP_ISSUER: "https://IdP.example.com/a/", SVC_IDP_CLIENT_ID: "svc", SVC_IDP_CLIENT_SECRET: "s" }
    assert.strictEqual((await load(idp)).idp?.issuer, "https://IdP.example.com/a/")
  })

  it("works without any, and makes the others of those that are given", async () => {
    const bare = await load({})
    assert.include(bare, { host: "127.0.0.1", port: 8787, baseUrl: "http://svc.localhost:8787", appUrl: "http://svc.localhost:8787" })
    assert.include(bare, { contentDomain: "svc.localhost:8787", sameSite: "lax", dataDir: ".data", trial: "open", role: "all", log: "pretty" })
    assert.include(bare, { devMailbox: true, devMailboxOpen: false, trustedProxyHops: 0 })
    assert.isUndefined(bare.s3)

    const full = await load({
      ...ELSEWHERE, SVC_PORT: "80", SVC_BASE_URL: "https://example.com/", SVC_CONTENT_DOMAIN: "pages.example.net", SVC_STRIPE_SECRET_KEY: "sk", SVC_STRIPE_WEBHOOK_SECRET: "whsec",
      SVC_STRIPE_PRICES: "{\"studio\":{\"month\":\"a\",\"year\":\"b\"}}", SVC_S3_BUCKET: "b", SVC_S3_FORCE_PATH_STYLE: "true", SVC_PLATFORM_ADMINS: " Ada@Example.com, ,b@example.com"
    })
    assert.include(full, { port: 80, baseUrl: "https://example.com", appUrl: "https://example.com", sameSite: "none", trial: "enforced", devMailbox: false })
    assert.strictEqual(full.mailFrom, "svc <no-reply@example.com>")
    assert.deepStrictEqual(full.s3, { bucket: "b", endpoint: undefined, region: undefined, forcePathStyle: true })
    assert.deepStrictEqual([...full.platformAdmins], ["ada@example.com", "b@example.com"])
    assert.notInclude(String(full.secret) + JSON.stringify(full), SECRET)
    assert.strictEqual(Redacted.value(full.secret!), SECRET)
  })
})

afterAll(clearAway)

/** A start that must fail; returns the one line that it prints. */
const refusedStart = async (environment: Environment, command = "serve") => {
  const { code, stderr, stdout } = await launch(command, environment).ended
  assert.strictEqual(code, 1, stderr + stdout)
  assert.match(stderr, /^svc: [^\n]+\n$/)
  assert.strictEqual(stdout, "")
  return stderr
}

describe("a refused start", () => {
  it("says one line on stderr and ends with 1", async () => {
    const file = join(newFolder(), "file")
    writeFileSync(file, "")
    const lines = await Promise.all([
      refusedStart({ SVC_PORT: "http" }),
      refusedStart({ ...ELSEWHERE, SVC_SECRET: "hunter2" }, "work"),
      refusedStart({ SVC_DATABASE_URL: ELSEWHERE.SVC_DATABASE_URL }, "migrate"),
      refusedStart(ELSEWHERE),
      refusedStart({ SVC_DATA_DIR: file }),
      refusedStart({ SVC_DATA_DIR: "/proc/svc/data" }),
      refusedStart({ SVC_DATA_DIR: newFolder() }, "work")
    ])
    assert.strictEqual(lines[0], "svc: SVC_PORT holds \"http\"; it wants a port, 0 to 65535.\n")
    assert.strictEqual(lines[1], "svc: SVC_SECRET holds 7 characters (hidden); it wants at least 32 bytes.\n")
    assert.match(lines[2]!, /SVC_SECRET is missing/)
    assert.match(lines[3]!, /SVC_DATABASE_URL names a database that cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/)
    assert.match(lines[4]!, /SVC_DATA_DIR/)
    assert.match(lines[5]!, /\(E[A-Z]+: .*\/proc.*\); check that this user may write to SVC_DATA_DIR/)
    assert.match(lines[6]!, /SVC_ROLE holds "worker"; with the embedded database it wants all/)
  })

  it("names the host that is none of this machine's", async () => {
    for (const host of ["999.1.1.1", "203.0.113.7"]) {
      const { message } = await Effect.runPromise(Effect.flip(listen(new Server(), { host, port: 0 })))
      assert.match(message, new RegExp(`^SVC_HOST holds "${host}"; it wants an address of this machine \\(E[A-Z_]+\\)\\.$`))
    }
  })

  it("names the port that is in use", async () => {
    const other = createServer()
    const port = await new Promise<number>((resolve) => other.listen(0, "127.0.0.1", () => resolve((other.address() as AddressInfo).port)))
    const line = await refusedStart({ SVC_PORT: String(port), SVC_DATA_DIR: newFolder() }).finally(() => other.close())
    assert.strictEqual(line, `svc: Cannot listen on 127.0.0.1:${port}: it is in use. Stop what listens there, or set SVC_PORT.\n`)
  })
})
