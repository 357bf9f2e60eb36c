/** Arguments that several tools take, each with words for the agent that fills it in. */
import { Option, Schema, SchemaGetter } from "effect"
import { CommentId } from "../../../domain/comments/model.ts"
import { FolderId } from "../../../domain/folders/model.ts"
import { ShareLinkId } from "../../../domain/share-links/model.ts"
import { WorkspaceId } from "../../../domain/workspaces/model.ts"
import { idOf, line, PAGE, PageCursor, PageLimit } from "../../contract/wire.ts"

/** On the encoded side, which agents are shown. As a check that always holds: an annotation would go to the last check, which may be shown to nobody. */
const showing = <S extends Schema.Top>(schema: S, said: { readonly description?: string }, limits: object = {}) =>
  (Schema.toEncoded(schema) as Schema.Codec<unknown>).check(Schema.makeFilter(() => true, { ...said, toJsonSchema: () => ({ ...limits }) }))
    .pipe(Schema.decodeTo(schema as never)) as unknown as Schema.Codec<S["Type"], S["Encoded"]>

export const said = <S extends Schema.Top>(schema: S, description: string) => showing(schema, { description })

/** Shows how long a text may be. The text itself is checked after its trimming, which agents are not shown. */
export const atMost = <S extends Schema.Top>(schema: S, maxLength: number) => showing(schema, {}, { maxLength })

/** Absent and null mean the same. */
export const optional = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(Schema.toEncoded(schema)).annotate({ description })).pipe(
    Schema.decodeTo(Schema.optionalKey(schema) as never, {
      decode: SchemaGetter.transformOptional(Option.filter((given: unknown) => given !== null)) as never,
      encode: SchemaGetter.passthrough() as never
    })
  ) as unknown as Schema.optionalKey<Schema.Codec<S["Type"], S["Encoded"] | null>>

/** A slug holds none of these; whoever sends the whole address is told so, and not that the project is gone. */
const Label = line(1, 200).check(Schema.makeFilter((given) => !/[.:/]/.test(given), { message: "Send the first label of the address alone, such as q3-report." }))

export const slug = said(Label, "The project’s slug: the first label of its address, as list_projects names it")

export const workspace = optional(idOf(WorkspaceId), "A workspace’s id, as list_projects names it; the account’s first workspace by default")

export const paged = {
  cursor: optional(PageCursor, "The `next_cursor` of the page before"),
  limit: optional(PageLimit, `1 to 100; ${PAGE} by default`)
}

export const commentId = said(idOf(CommentId), "The comment’s or reply’s id, as get_comments names it")

export const folderId = said(idOf(FolderId), "The folder’s id, as list_folders names it")

export const shareLinkId = said(idOf(ShareLinkId), "The share link’s id, as list_share_links names it")
