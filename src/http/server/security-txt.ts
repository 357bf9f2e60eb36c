/** Where to report a weakness of this installation (RFC 9116); served only where its operator named a contact. */
import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Addresses } from "../../domain/ports/addresses.ts"

const PATH = "/.well-known/security.txt"

/** Less than a year, as the RFC asks; the date moves on by a day every day. */
const GOOD_FOR = { days: 180 }

/** `contact` is a web or mail address. */
export const SecurityTxt = (contact: string) =>
  HttpRouter.add("GET", PATH, Effect.gen(function*() {
    const { baseUrl } = yield* Addresses
    const expires = DateTime.add(DateTime.startOf(yield* DateTime.now, "day"), GOOD_FOR)
    const lines = [
      `Contact: ${contact.startsWith("https:") ? contact : `mailto:${contact}`}`,
      `Expires: ${DateTime.formatIso(expires)}`,
      `Canonical: ${baseUrl}${PATH}`,
      "Preferred-Languages: en"
    ]
    return HttpServerResponse.text(`${lines.join("\n")}\n`, { contentType: "text/plain; charset=utf-8", headers: { "cache-control": "public, max-age=3600" } })
  }))
