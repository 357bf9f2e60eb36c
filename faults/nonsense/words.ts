/** What nobody should send: values, headers and bodies that are too long, torn, of another type, or mean something elsewhere. */
import type { Chance } from "../chance.ts"

/** A JSON body says it as a number that no double holds. */
const ENDLESS = "a number beyond all doubles"

const TEXTS: ReadonlyArray<string> = [
  "", " ", "\t\n", "\0", "a\0b", "\r\nSet-Cookie: a=b", "\u2028", "\uFEFF", "\u202Egnp.exe", "\uD800", "a\uDC00b", "e\u0301", "İ", "ß", "ǅ", "ﬀ", "👩‍👩‍👧‍👦", "Z̸͖̈́a̵l̶g̷o",
  "../../etc/passwd", "a/b", "a\\b", ".", "..", "%", "%00", "%2e%2e%2f", "%F0%9F", "~", "*", "?", "#", "a?b#c", "//evil.example", "https://evil.example/", "javascript:alert(1)", "data:text/html,x",
  "<script>alert(1)</script>", "\"><img src=x>", "' OR 1=1 --", "$1", "${7*7}", "{{7*7}}", "%s%n", "(((((((((a+)+)+)+)+)+)+)+)+$",
  "null", "undefined", "true", "NaN", "Infinity", "-Infinity", "-0", "0", "00", "1e3", "1e309", "0x10", "1_000", "1,5", "+1", "-1", "1.5", "2147483648", "9007199254740993", "9223372036854775808", "1".repeat(400),
  "__proto__", "constructor", "hasOwnProperty", "toString", "then", "length",
  "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "018f4a2e-0000-7000-8000-00000000abcdE", "{018f4a2e-0000-7000-8000-00000000abcd}",
  "2026-02-30T00:00:00Z", "2026-06-30T23:59:60Z", "2026-11-28", "2026-11-28T25:00:00Z", "9999-12-31T23:59:59.999Z", "10000-01-01T00:00:00Z", "+275760-09-13T00:00:00.001Z", "-000001-01-01T00:00:00Z",
  "0000-01-01T00:00:00Z", "2026-11-28T12:00:00.123456789123Z", "2026-11-28T12:00:00+99:00", "tomorrow", "P1D",
  "@", "a@b", "a@b@c.example", "\"a b\"@example.com", "a@[127.0.0.1]", "a@xn--.example", `${"a".repeat(65)}@example.com`, "ada@example.com, bob@example.com", "ADA@EXAMPLE.COM",
  "admin", "www", "xn--80ak6aa92e", "-a", "a-", "a--b", "A", "OTk5OTk5OTk5OS94", "a".repeat(63), "a".repeat(64), "a".repeat(201), "é".repeat(2_000), "x".repeat(70_000), "𝕏".repeat(40_000)
]

const VALUES: ReadonlyArray<unknown> = [
  null, true, false, 0, -0, -1, 1, 1.5, 1e-9, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), ENDLESS, [], {}, [null], [[]], [{}], [0], { a: 1 }, { length: 1 }, { toString: 1 },
  JSON.parse("{\"__proto__\":{\"a\":1}}"), Array(1_001).fill("a"), Array(300).fill("somebody@example.com"), Object.fromEntries(Array.from({ length: 999 }, (_, at) => [`n${at}`, at])),
  JSON.parse(`${"[".repeat(60)}1${"]".repeat(60)}`), JSON.parse(`${"[".repeat(600)}1${"]".repeat(600)}`)
]

/** What no database keeps as text. */
const UNKEPT = ["\0", "a\0b", "\uD800", "a\uDC00b"]

export const nonsense = ({ happens, one }: Chance): unknown => happens(0.15) ? one(UNKEPT) : happens(0.6) ? one(TEXTS) : one(VALUES)
export const nonsenseText = ({ one }: Chance): string => one(TEXTS)

/** As a client that tests nothing would send it in a path or a query. */
export const escaped = (value: unknown): string => {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value)
  try {
    return encodeURIComponent(text)
  } catch {
    // Half of a character: the bytes that it would have, which are no UTF-8.
    return "%ED%A0%80"
  }
}

const twists: ReadonlyArray<(text: string, at: number) => string> = [
  (text, at) => text.slice(0, at), (text, at) => text.slice(at), (text, at) => `${text.slice(0, at)}\0${text.slice(at)}`, (text, at) => `${text.slice(0, at)}\uD800${text.slice(at)}`,
  (text, at) => `${text.slice(0, at)}9999999999${text.slice(at)}`, (text, at) => text.replaceAll(/\d/g, "9").slice(0, text.length + at), (text) => text.toUpperCase(), (text) => ` ${text} `, (text) => text + text, (text) => `-${text}`,
  (text) => text.replaceAll("\"", ""), (text) => text.normalize("NFD"), (text, at) => `${text.slice(0, at)}é${text.slice(at)}`
]

/** Nearly what it should be. */
export const twisted = (value: unknown, { below, happens, one }: Chance): string => {
  const text = String(value)
  const inside = Buffer.from(text, "base64url").toString("utf8")
  // Cursors and tokens are looked into.
  if (/^[\w-]{12,}$/.test(text) && happens(0.7)) return Buffer.from(one(twists)(inside, below(inside.length + 1))).toString("base64url")
  return one(twists)(text, below(text.length + 1))
}

const HEADERS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "accept": ["", "text/html", "*/*;q=0", "application/json;q=2", ",,,", "a".repeat(4_000)],
  "accept-encoding": ["", "gzip;q=2", "identity;q=0", "*;q=0", "br;q=NaN, gzip", "gzip, deflate, br, zstd"],
  "accept-language": ["", "xx-XX-x-".repeat(200), "*;q=0"],
  "authorization": ["", "Bearer", "Bearer ", "Bearer svc_", `Bearer svc_${"x".repeat(43)}`, "Basic YTpi", "Basic !!!", "bearer a b", `Bearer ${"x".repeat(7_000)}`, "Digest a=b"],
  "content-encoding": ["gzip", "br", "identity", "deflate, gzip", "x"],
  "content-language": ["en", ""],
  "content-md5": ["AAAA"],
  "content-range": ["bytes 0-1/2", "bytes */2", "x"],
  "content-type": [
    "", "application/json; charset=utf-16", "application/json; charset=nonsense", "application/json;;;", "APPLICATION/JSON", "text/plain", "text/html", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=", `multipart/form-data; boundary=${"x".repeat(5_000)}`, "multipart/mixed; boundary=x", "application/zip", "application/pdf", "image/png", "image/svg+xml", "video/mp4", "text/csv; header=present", "x", "x/y", "a/b; c=\"",
    "application/problem+json", "text/markdown; charset=\"utf-8", "message/http"
  ],
  "cookie": ["", "=", ";;;", "a", "__Host-svc_session=", "__Host-svc_session=%00", `__Host-svc_session=${"x".repeat(5_000)}`, "__Host-svc_csrf=a; __Host-svc_csrf=b", "__Host-svc_pass=x", "a=\"b; c"],
  "date": ["yesterday"],
  "digest": ["sha-256=x"],
  "expect": ["200-ok"],
  "forwarded": ["for=unknown", "for=\"[::1\""],
  "idempotency-key": ["", " ", "x", "x".repeat(256), "x".repeat(300), "ä", "\"quoted\""],
  "if-match": ["*", "\"x\"", "W/\"x\"", "x", "\"", "\"1\", \"2\"", ""],
  "if-modified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday", ""],
  "if-none-match": ["*", "\"x\"", "W/\"x\"", "\"", "", `"${"x".repeat(4_000)}"`],
  "if-range": ["\"x\"", "yesterday"],
  "if-unmodified-since": ["Thu, 01 Jan 1970 00:00:00 GMT", "x"],
  "origin": ["null", "https://evil.example", "http://svc.localhost", "x", ""],
  "prefer": ["return=minimal", "respond-async"],
  "range": ["bytes=0-0", "bytes=-1", "bytes=5-1", "bytes=9999999999999999999-", "bytes=0-0,2-3,-1", "items=0-1", "bytes=", `bytes=${Array(600).fill("0-0").join(",")}`],
  "referer": ["https://evil.example/?a=b", "x", ""],
  "sec-fetch-dest": ["document", "serviceworker", "x"],
  "sec-fetch-mode": ["navigate", "cors", "x"],
  "sec-fetch-site": ["cross-site", "same-origin", "none", "x"],
  "te": ["trailers", "x"],
  "traceparent": ["00-0-0-00", `00-${"f".repeat(32)}-${"f".repeat(16)}-01`, "x"],
  "b3": ["0", "x-y-z"],
  "upgrade": ["h2c"],
  "user-agent": ["", "x".repeat(3_000), "Googlebot/2.1"],
  "x-csrf-token": ["", "x", "x".repeat(3_000)],
  "x-filename": ["", ".", "..", "../../x", "a/b.md", "CON", "%00.md", "%E0%A4.md", "x".repeat(300), "é.md", ".html", "a.html.", "a.svg", "\"a\".csv", "a.zip"],
  "x-forwarded-for": ["", "unknown", "::1", "[::1]:80", "1.2.3.4, , 5", "999.1.1.1", "1.2.3.4:99999", "fe80::1%eth0", "x".repeat(3_000)],
  "x-forwarded-host": ["evil.example"],
  "x-forwarded-proto": ["javascript"],
  "x-http-method-override": ["DELETE"],
  "x-request-id": ["", "x".repeat(3_000), "a b", "<script>"]
}

export const nonsenseHeaders = ({ below, one }: Chance): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: 1 + below(2) }, () => one(Object.entries(HEADERS))).map(([name, values]) => [name, one(values)]))

/** JSON as a text; what no JSON holds is written into it. */
export const written = (value: unknown): string => JSON.stringify(value).replaceAll(JSON.stringify(ENDLESS), "1e400")

const torn: ReadonlyArray<(body: Buffer, chance: Chance) => Buffer | string> = [
  (body, { below }) => body.subarray(0, below(body.length + 1)),
  (body) => Buffer.concat([Buffer.from("\uFEFF"), body]),
  (body, { below }) => {
    const at = below(body.length + 1)
    return Buffer.concat([body.subarray(0, at), Buffer.from([0xC3, 0x28]), body.subarray(at)])
  },
  (body, { below }) => {
    const at = below(body.length + 1)
    return Buffer.concat([body.subarray(0, at), Buffer.from([0]), body.subarray(at)])
  },
  (body) => Buffer.concat([body, Buffer.from("x")]),
  (body) => Buffer.concat([body, body]),
  (body) => Buffer.from(body.toString(), "utf16le"),
  (body) => body.toString().replace(/^\{/, "{\"label\":1,\"label\":[],"),
  () => "", () => " ", () => "null", () => "[]", () => "\"x\"", () => "1", () => "{", () => "[{}]", () => "[".repeat(100_000), () => "{\"a\":".repeat(100_000), () => "a=b&c=d", () => "<a/>",
  () => "{".padEnd(300_000, " "), () => JSON.stringify({ a: "x".repeat(1_200_000) }), () => Buffer.alloc(50_000, 0xFF)
]

export const tear = (body: Buffer, chance: Chance): Buffer | string => chance.one(torn)(body, chance)
