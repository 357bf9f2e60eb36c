/** Client registration (RFC 7591 §2, CONTRACT §4): public clients only; every redirect address is checked. */
import { Option, Result, Schema } from "effect"
import { clientName } from "../device-grants/rules.ts"
import type { OauthClient } from "./model.ts"
import { GRANT_TYPES, GrantType } from "./model.ts"
import { redirectFault } from "./redirects.ts"
import type { OauthRefusal } from "./refusals.ts"
import { refuse } from "./refusals.ts"

const MAX_REDIRECTS = 10
/** Characters of all of them: whoever registers has no account, and the row stays for weeks. */
const MAX_REDIRECTS_LENGTH = 4_000

const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const text = (maximum: number) => Schema.String.check(Schema.isMaxLength(maximum))

const Metadata = Schema.Struct({
  redirect_uris: optional(Schema.Array(Schema.String)),
  client_name: optional(text(1000)),
  client_uri: optional(text(2000)),
  logo_uri: optional(text(2000)),
  scope: optional(text(2000)),
  grant_types: optional(Schema.Array(Schema.String)),
  response_types: optional(Schema.Array(Schema.String)),
  token_endpoint_auth_method: optional(Schema.String)
})

const REPLACED: ReadonlySet<string> = new Set(["none", "client_secret_basic", "client_secret_post"])

const decode = Schema.decodeUnknownOption(Metadata)
const isGrantType = Schema.is(GrantType)

const webAddress = (uri: string | null | undefined): string | null =>
  typeof uri === "string" && /^https?:\/\/[^\p{Cc}\s]+$/u.test(uri) && URL.canParse(uri) ? uri : null

/** The client that these metadata describe, without its id. */
export const registered = (metadata: unknown): Result.Result<Omit<OauthClient, "id">, OauthRefusal> => {
  const given = Option.getOrUndefined(decode(metadata))
  const wrong = (message: string) => Result.fail(refuse("invalid_client_metadata", message))
  if (given === undefined) return wrong("This is not client metadata.")
  // Stock clients ask for a secret where they need none, so the method is replaced, as the answer says (RFC 7591 §3.2.1); who would prove more than a secret is told.
  if (!REPLACED.has(given.token_endpoint_auth_method ?? "none")) return wrong("Clients here are public: token_endpoint_auth_method is none.")
  if ((given.response_types ?? ["code"]).some((type) => type !== "code")) return wrong("The only response type is code.")
  // A client that names no grant types gets all of them; the answer says what was registered (RFC 7591 §3.2.1). Each is kept once, however often it is named.
  const grantTypes = [...new Set(given.grant_types ?? GRANT_TYPES)]
  if (!grantTypes.every(isGrantType)) return wrong("A grant type is not supported.")
  const redirectUris = [...new Set(given.redirect_uris)]
  if (redirectUris.length > MAX_REDIRECTS) return wrong(`A client may have ${MAX_REDIRECTS} redirect addresses.`)
  if (redirectUris.join("").length > MAX_REDIRECTS_LENGTH) return Result.fail(refuse("invalid_redirect_uri", `The redirect addresses are longer than ${MAX_REDIRECTS_LENGTH} characters together.`))
  if (redirectUris.length === 0 && grantTypes.includes("authorization_code")) {
    return Result.fail(refuse("invalid_redirect_uri", "At least one redirect address is needed."))
  }
  const fault = redirectUris.map(redirectFault).find((found) => found !== undefined)
  if (fault !== undefined) return Result.fail(refuse("invalid_redirect_uri", fault))
  return Result.succeed({
    name: clientName(given.client_name ?? undefined),
    redirectUris,
    grantTypes,
    clientUri: webAddress(given.client_uri),
    logoUri: webAddress(given.logo_uri)
  })
}
