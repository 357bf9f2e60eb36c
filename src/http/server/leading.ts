/** Where readers are sent on: to sign in, with the way back, and to what they wanted. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Addresses } from "../../domain/ports/addresses.ts"
import { openingPage } from "../../look/opening-page.ts"
import { fromElsewhere, opensPage } from "../contract/fetch-metadata.ts"
import { pageAnswer, seeOther } from "./answers.ts"

/** The login page's address, with `back` as the way back here: only a path where app and API share an origin. */
export const loginAt = ({ appUrl, baseUrl }: typeof Addresses.Service, back: string) =>
  `${appUrl}/login?${new URLSearchParams({ next: appUrl === baseUrl ? back : baseUrl + back }).toString()}`

/**
 * Sends the reader on. A page of another origin that opened this address could see by its own policy where a redirect leads, and
 * so who is signed in: then a page of ours goes on instead.
 */
export const leadTo = (url: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    fromElsewhere(headers) && opensPage(headers)
      ? HttpServerResponse.setHeader(pageAnswer(openingPage(url)), "refresh", `0;url=${url}`)
      : seeOther(url))
