/** Which clients are not readers, by the names that they really send. */
import { assert, describe, it } from "@effect/vitest"
import { isCrawler } from "../../../src/http/edge/crawlers.ts"

const crawlers = [
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
  "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
  "DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Slackbot 1.0 (+https://api.slack.com/robots)",
  "Slack-ImgProxy (+https://api.slack.com/robots)",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "facebookexternalhit/1.1",
  "facebookexternalhit/1.1 Facebot Twitterbot/1.0",
  "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
  "WhatsApp/2.23.20.0",
  "Twitterbot/1.0",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "TelegramBot (like TwitterBot)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Pinterest/0.2 (+http://www.pinterest.com/)",
  "Embedly/0.2 (+http://support.embed.ly/)",
  "Iframely/1.3.1 (+https://iframely.com/docs/about)",
  "Bluesky Cardyb/1.1; +mailto:support@bsky.app",
  "http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.example/) Bot",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "CCBot/2.0 (https://commoncrawl.org/faq/)",
  "cohere-ai",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)"
]

const readers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
  "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.6478.72 Mobile Safari/537.36",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.6478.55 Safari/537.36",
  "Playwright/1.45.0 (x64; ubuntu 22.04) node/20.15",
  "Mozilla/5.0 (Unknown; Linux x86_64) AppleWebKit/538.1 (KHTML, like Gecko) PhantomJS/2.1.1 Safari/538.1",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Puppeteer/22.0 Safari/537.36",
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.32.0",
  "Python-urllib/3.11",
  "python-httpx/0.27.0",
  "Go-http-client/2.0",
  "node",
  "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)",
  "got (https://github.com/sindresorhus/got)",
  "undici",
  "Bun/1.1.20",
  "Deno/1.44.0",
  "axios/1.7.2",
  "okhttp/4.12.0",
  "Java/17.0.9",
  "Java-http-client/21.0.2",
  "Apache-HttpClient/4.5.14 (Java/17.0.9)",
  "PostmanRuntime/7.39.0",
  "insomnia/9.2.0",
  "HTTPie/3.2.2",
  "libwww-perl/6.72",
  "PycURL/7.45.2 libcurl/8.5.0 OpenSSL/3.0.13",
  "Ruby",
  "reqwest/0.12.4",
  "Dart/3.4 (dart:io)",
  "SomeScript/1.0"
]

describe("isCrawler", () => {
  for (const agent of crawlers) it(`is one: ${agent}`, () => assert.isTrue(isCrawler(agent)))
  for (const agent of readers) it(`is none: ${agent}`, () => assert.isFalse(isCrawler(agent)))

  it("a client without a User-Agent is not a crawler: libraries without one read for somebody", () => assert.deepStrictEqual([undefined, ""].map(isCrawler), [false, false]))

  it("judges the same when it was asked before, by many others and at any length", () => {
    for (let n = 0; n < 3_000; n++) isCrawler(`Agent ${n}`)
    for (const agent of crawlers) assert.deepStrictEqual([isCrawler(agent), isCrawler(agent)], [true, true])
    assert.isFalse(isCrawler(`Mozilla/5.0 (X11; Linux x86_64) ${"Firefox/127.0 ".repeat(1_000)}`))
  })
})
