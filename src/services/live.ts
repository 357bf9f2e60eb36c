/** Which implementation each port has, by the settings: which database, which blobs, which mail, which limits. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { Effect, Layer, Option } from "effect"
import type { WorkflowEngine } from "effect/workflow"
import { AddressesConfigured } from "./addresses.ts"
import { PacksDisk } from "./blobs/packs-disk.ts"
import { SnifferFileType } from "./blobs/sniff.ts"
import { ArchivesCompressCommons } from "./blobs/zip.ts"
import { ClientDocumentsFetched } from "./client-documents/client-documents.ts"
import type { Settings } from "./config.ts"
import { PasswordsArgon2 } from "./crypto/passwords.ts"
import { SealsJose } from "./crypto/seals.ts"
import { secretIn } from "./crypto/secret.ts"
import { TokensRandom } from "./crypto/tokens.ts"
import { AccountStoreSql, hasNoAccounts } from "./database/accounts.ts"
import { AdministrationStoreSql } from "./database/administration.ts"
import { AllowlistStoreSql } from "./database/allowlists.ts"
import { ApiTokenStoreSql } from "./database/api-tokens.ts"
import { AtomicallySql } from "./database/atomically.ts"
import { AuditStoreSql } from "./database/audit.ts"
import { BillingStoreSql } from "./database/billing.ts"
import { DatabaseRemote, DatabaseStarted } from "./database/client.ts"
import { CommentChangesPg } from "./database/comment-changes.ts"
import { CommentNoticeStoreSql } from "./database/comment-notices.ts"
import { CommentStoreSql } from "./database/comments.ts"
import { DeviceGrantStoreSql } from "./database/device-grants.ts"
import { embeddedPostgres } from "./database/embedded.ts"
import { ErasingStoreSql } from "./database/erasing.ts"
import { DeletionStoreSql } from "./database/erasure.ts"
import { ExportStoreSql } from "./database/exports.ts"
import { FolderStoreSql } from "./database/folders.ts"
import { GrantStoreSql } from "./database/grants.ts"
import { HostingStoreSql } from "./database/hosting.ts"
import { PassStoreSql } from "./database/passes.ts"
import { IdempotencyStoreSql } from "./database/idempotency.ts"
import { IdpStoreSql } from "./database/idp.ts"
import { IssuerSql } from "./database/issuer.ts"
import { LapseStoreSql } from "./database/lapses.ts"
import { InviteStoreSql } from "./database/invites.ts"
import { OauthStoreSql } from "./database/oauth.ts"
import { OutagesSql } from "./database/outages.ts"
import { PackStoreSql } from "./database/packs.ts"
import { PoliciesKept } from "./database/policies.ts"
import { ProjectStoreSql } from "./database/projects.ts"
import { RenderingStoreSql } from "./database/renderings.ts"
import { ShareLinkStoreSql } from "./database/share-links.ts"
import { ThinningStoreSql } from "./database/thinning.ts"
import { ThumbnailStoreSql } from "./database/thumbnails.ts"
import { TrialMailStoreSql } from "./database/trial-mails.ts"
import { UploadStoreSql } from "./database/uploads.ts"
import { VersionStoreSql } from "./database/versions.ts"
import { ViewStoreSql } from "./database/views.ts"
import { WorkspaceStoreSql } from "./database/workspaces.ts"
import { PacksOurs } from "./deployment.ts"
import { IdentityProviderNone, IdentityProviderOpenId } from "./idp/identity-provider.ts"
import { JobStoreSql } from "./database/jobs.ts"
import { JobsClient, JobsEmbedded, JobsShared } from "./jobs/engine.ts"
import { DeadMailStoreOutbox } from "./database/dead-mails.ts"
import { MailerOutbox } from "./database/mails.ts"
import { MailTransportMailbox } from "./database/mailbox.ts"
import { MailTransportSmtp } from "./mail/transport.ts"
import { PaymentsNone, PaymentsStripe } from "./payments/payments-stripe.ts"
import { RendererMarkdown } from "./rendering/markdown.ts"
import { ThumbnailerWasm } from "./thumbnails/thumbnailer.ts"
import { RateLimitsEffect } from "./rate-limits/rate-limits.ts"
import { RateLimiterStoreMemory } from "./rate-limits/store-memory.ts"
import { RateLimiterStoreSql } from "./database/rate-limits.ts"

export const Database = ({ databaseUrl, dataDir }: Settings) =>
  databaseUrl === undefined
    ? Layer.unwrap(Effect.map(embeddedPostgres({ dataDir }), DatabaseStarted))
    : DatabaseRemote(databaseUrl)

/** What only some settings need is loaded only for them: the clients of S3 and Redis are a third of all the code to load. */
const loaded = <A, E, R>(load: () => Promise<Layer.Layer<A, E, R>>) => Layer.unwrap(Effect.promise(load))

const PacksKept = ({ dataDir, s3 }: Settings) =>
  s3 === undefined
    ? PacksDisk({ root: join(dataDir, "blobs") })
    : loaded(async () => {
      const { PacksS3 } = await import("./blobs/packs-s3.ts")
      return PacksS3({ ...s3, scratchDir: join(dataDir, "scratch"), cacheBytes: 2 * 1024 ** 3 })
    }).pipe(Layer.provide(PackStoreSql))

const PacksChecked = ({ dataDir, s3 }: Settings) =>
  PacksOurs(s3 === undefined
    ? { name: join(dataDir, "blobs"), variable: "SVC_DATA_DIR" }
    : { name: `The bucket ${s3.bucket}`, variable: "SVC_S3_BUCKET" }).pipe(Layer.provide(PackStoreSql))

/** Beside the data of a first start. Where there are accounts it was lost, which is said while a backup may still hold it. */
const secretBeside = Effect.fnUntraced(function*(dataDir: string) {
  const file = join(dataDir, "secret")
  const isLost = !existsSync(file) && !(yield* hasNoAccounts)
  const secret = yield* secretIn(dataDir)
  if (isLost) {
    yield* Effect.logWarning(`${file} was missing and is made anew: everybody signs in again, and mails that wait are lost. If it is in a backup, stop, put it back, and start again.`)
  }
  return secret
})

const Sealed = ({ dataDir, secret, secretPrevious }: Settings) =>
  Layer.unwrap(Effect.map(
    secret === undefined ? secretBeside(dataDir) : Effect.succeed(secret),
    (secret) => SealsJose({ secret, previous: Option.fromUndefinedOr(secretPrevious) })
  ))

/** In Redis if there is one, else where the facts are: in the shared database, or in the memory of the one process. */
const LimitsKept = ({ databaseUrl, redisUrl }: Settings) =>
  redisUrl !== undefined
    ? loaded(async () => (await import("./rate-limits/store-redis.ts")).RateLimiterStoreRedis(redisUrl))
    : databaseUrl !== undefined ? RateLimiterStoreSql : RateLimiterStoreMemory

const Limits = (settings: Settings) => RateLimitsEffect.pipe(Layer.provide(LimitsKept(settings)))

const Idp = ({ idp }: Settings) => idp === undefined ? IdentityProviderNone : IdentityProviderOpenId(idp)

const Paying = ({ stripe }: Settings) => stripe === undefined ? PaymentsNone : PaymentsStripe(stripe)

/** Where jobs run: in this process, in any worker on a shared database, or only elsewhere. */
export const Jobs = ({ databaseUrl, role }: Settings) =>
  databaseUrl === undefined ? JobsEmbedded : role === "http" ? JobsClient : JobsShared

const Post = ({ baseUrl, mailFrom, smtpUrl }: Settings) =>
  smtpUrl === undefined
    ? MailTransportMailbox
    : MailTransportSmtp({ url: smtpUrl, from: mailFrom, domain: new URL(baseUrl).hostname })

const Stores = Layer.mergeAll(
  AccountStoreSql,
  ApiTokenStoreSql,
  AllowlistStoreSql,
  CommentStoreSql,
  CommentNoticeStoreSql,
  CommentChangesPg,
  DeviceGrantStoreSql,
  OauthStoreSql,
  GrantStoreSql,
  AuditStoreSql,
  WorkspaceStoreSql,
  TrialMailStoreSql,
  LapseStoreSql,
  InviteStoreSql,
  FolderStoreSql,
  ProjectStoreSql,
  VersionStoreSql,
  PackStoreSql,
  ThinningStoreSql,
  HostingStoreSql,
  PassStoreSql,
  ShareLinkStoreSql,
  IdpStoreSql,
  IdempotencyStoreSql,
  AdministrationStoreSql,
  JobStoreSql,
  ViewStoreSql,
  UploadStoreSql,
  RenderingStoreSql,
  ThumbnailStoreSql,
  BillingStoreSql,
  DeadMailStoreOutbox,
  ExportStoreSql,
  DeletionStoreSql,
  ErasingStoreSql,
  AtomicallySql,
  OutagesSql
)

/** What is kept, asked or done outside the database. */
const Outside = (settings: Settings) =>
  Layer.mergeAll(
    PacksChecked(settings),
    Limits(settings),
    Post(settings),
    Idp(settings),
    Paying(settings),
    ArchivesCompressCommons,
    ClientDocumentsFetched(),
    RendererMarkdown(),
    ThumbnailerWasm()
  )

/** Everything the domain asks for, over a database that is already there and migrated. */
export const Services = <A, E, R>(given: Settings, jobs: Layer.Layer<WorkflowEngine.WorkflowEngine | A, E, R>) => {
  const settings = { ...given, dataDir: resolve(given.dataDir) }
  const Crypto = Layer.mergeAll(TokensRandom, PasswordsArgon2, Sealed(settings))
  return Layer.mergeAll(Layer.provide(Stores, IssuerSql(settings.idp?.issuer, settings.role !== "worker")), Outside(settings)).pipe(
    Layer.provideMerge(MailerOutbox),
    Layer.provideMerge(jobs),
    Layer.provideMerge(Layer.mergeAll(Crypto, PacksKept(settings), SnifferFileType)),
    Layer.provideMerge(Layer.mergeAll(
      AddressesConfigured(settings),
      PoliciesKept(settings)
    ))
  )
}
