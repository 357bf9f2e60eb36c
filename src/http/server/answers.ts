/** Pages of ours as answers: whole documents that load nothing but their own style and fonts. */
import { HttpServerResponse } from "effect/http"
import { pageCsp } from "../../look/page.ts"

export const pageAnswer = (html: string, status = 200, policy = pageCsp) =>
  HttpServerResponse.text(html, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex"
    }
  })
