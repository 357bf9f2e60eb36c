/** The records of OAuth: clients, authorization requests, codes and token families (SPEC §5.4, CONTRACT §4). */
import { Schema } from "effect"
import { UserId } from "../accounts/model.ts"
import { isId } from "../ids.ts"

/** The only scope: it covers everything that the agents' tools do. */
export const SCOPE = "mcp"

export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"

export const GRANT_TYPES = ["authorization_code", "refresh_token", DEVICE_GRANT] as const
export const GrantType = Schema.Literals(GRANT_TYPES)
export type GrantType = typeof GrantType.Type

/** A public client: it registered, or its id is the address of its metadata document. */
export const OauthClient = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  redirectUris: Schema.Array(Schema.String),
  grantTypes: Schema.Array(GrantType),
  clientUri: Schema.NullOr(Schema.String),
  /** Stored and returned, never fetched. */
  logoUri: Schema.NullOr(Schema.String)
})
export type OauthClient = typeof OauthClient.Type

/** The parameters that the consent page was opened with. */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly codeChallengeMethod: string | undefined
  readonly scope: string | undefined
  readonly state: string | undefined
  readonly resource: string | undefined
}

export const FamilyId = Schema.String.check(isId).pipe(Schema.brand("FamilyId"))
export type FamilyId = typeof FamilyId.Type

/** An authorization code. The family of tokens that it is exchanged for takes its id. */
export const Code = Schema.Struct({
  id: FamilyId,
  userId: UserId,
  clientId: Schema.String,
  clientName: Schema.String,
  redirectUri: Schema.String,
  challenge: Schema.String,
  resource: Schema.String,
  expiresAt: Schema.DateTimeUtcFromDate,
  usedAt: Schema.NullOr(Schema.DateTimeUtcFromDate)
})
export type Code = typeof Code.Type

/** All tokens that come from one consent; they are revoked together. */
export const Family = Schema.Struct({
  id: FamilyId,
  userId: UserId,
  clientId: Schema.String,
  clientName: Schema.String,
  resource: Schema.String
})
export type Family = typeof Family.Type

export type TokenKind = "access" | "refresh"

/** RFC 6749 §5.1. A device's token never expires and has neither refresh token nor scope: it can do whatever its account can (SPEC §5.1). */
export interface TokenAnswer {
  readonly accessToken: string
  readonly refreshToken?: string
  readonly expiresIn?: number
  readonly scope?: typeof SCOPE
}
