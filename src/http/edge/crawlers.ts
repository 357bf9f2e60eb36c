/** Recognises crawlers and link unfurlers, for whom nobody reads, by the User-Agent they send (CONTRACT §9). */
import { list } from "isbot"

/**
 * Plain HTTP libraries and headless browsers read for somebody, so they count; the public list calls them bots. Its patterns
 * that match one of these are left out.
 */
const COUNTED = [
  "curl/8.5.0", "Wget/1.21.4", "python-requests/2.32.0", "Python/3.12 aiohttp/3.9.5", "Go-http-client/1.1", "node", "undici",
  "axios/1.7.2", "okhttp/4.12.0", "Java/17.0.9", "Apache-HttpClient/4.5.14 (Java/17.0.9)", "PostmanRuntime/7.39.0",
  "libwww-perl/6.72", "GuzzleHttp/7", "PHP/8.3", "RestSharp/110.2.0.0", "rest-client/2.1.0 (linux x86_64) ruby/3.2.2",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
  "Playwright/1.45.0 (x64; ubuntu 22.04) node/20.15", "PhantomJS/2.1.1", "Cypress/13.12.0", "selenium/4.21.0 (python linux)"
]

/** Libraries whose User-Agent holds a URL, as otherwise only crawlers' do. */
const WITH_ADDRESS = /^(?:node-fetch\/|got \(|k6\/)/i

/** Restores what the dropped patterns matched besides: a contact address, and crawlers that send a bare name. */
const NAMED = ["https?://", "\\.com\\b", "^cohere-ai", "^notion", "^bluesky"]

const CRAWLERS = new RegExp(
  [...list.filter((pattern) => !COUNTED.some((agent) => new RegExp(pattern, "i").test(agent))), ...NAMED].join("|"),
  "i"
)

/** The most verdicts that are kept, and the longest User-Agent with one: strangers choose them. */
const KEPT = 1_000
const LONGEST = 512

const known = new Map<string, boolean>()

const judged = (agent: string): boolean => !WITH_ADDRESS.test(agent) && CRAWLERS.test(agent)

export const isCrawler = (userAgent: string | undefined): boolean => {
  // A library that sends no User-Agent reads for somebody too.
  if (userAgent === undefined || userAgent === "") return false
  const found = known.get(userAgent)
  if (found !== undefined) return found
  if (userAgent.length > LONGEST) return judged(userAgent.slice(0, LONGEST))
  if (known.size >= KEPT) known.clear()
  const crawler = judged(userAgent)
  known.set(userAgent, crawler)
  return crawler
}
