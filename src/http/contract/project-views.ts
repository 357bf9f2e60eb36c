/** How answers show projects, their versions and files (SPEC §4.6, CONTRACT §8). */
import { Schema } from "effect"
import { FolderId } from "../../domain/folders/model.ts"
import { CommentAccess, HtmlDisplayMode, Kind, ProjectId, Visibility } from "../../domain/projects/model.ts"
import { ThumbnailSize } from "../../domain/thumbnails/model.ts"
import { WorkspaceId } from "../../domain/workspaces/model.ts"
import { Bytes, Timestamp, wire } from "./wire.ts"

export const project = {
  id: ProjectId,
  slug: Schema.String,
  url: Schema.String.annotate({ description: "Where the project is served" }),
  title: Schema.String,
  kind: Schema.NullOr(Kind).annotate({ description: "Null until something is published" }),
  version: Schema.Int.annotate({ description: "The version being served; 0 until something is published" }),
  visibility: Visibility,
  password: Schema.NullOr(Schema.String).annotate({ description: "The doorcode; null for everyone but its owner and the workspace’s admins" }),
  commentsEnabled: Schema.Boolean,
  htmlDisplayMode: HtmlDisplayMode,
  commentAccess: CommentAccess,
  commentAllowlistInherit: Schema.Boolean,
  indexable: Schema.Boolean.annotate({ description: "False: served with noindex" }),
  expiresAt: Schema.NullOr(Timestamp),
  folderId: Schema.NullOr(FolderId),
  workspaceId: WorkspaceId,
  owner: Schema.Struct({ id: Schema.String, name: Schema.String }),
  sizeBytes: Bytes,
  fileCount: Schema.Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  publishedAt: Schema.NullOr(Timestamp),
  takenDownAt: Schema.NullOr(Timestamp).annotate({ description: "Since when whoever runs the service has had it off the web: its address answers 410" })
}

const Missing = wire({
  count: Schema.Int.annotate({ description: "As far as was read: the first 256 KB of its first 20 pages" }),
  paths: Schema.Array(Schema.String).annotate({ description: "The first 50, as they would be published; hidden signs are written out" }),
  message: Schema.String
}).annotate({ identifier: "MissingFiles" })

/** In the answer to a publish. */
export const lacks = { missing: Schema.optionalKey(Missing).annotate({ description: "There only in the answer to a publish that sent a page, or a Markdown, that names files which the version does not hold: it is live, and shows gaps in their places" }) }

export const MissingView = wire({ version: Schema.Int.annotate({ description: "Whose files; 0 where nothing was published" }), missing: Schema.NullOr(Missing) }).annotate({ identifier: "Missing" })

/** Added to them where the query says `include=excerpt`. */
const included = {
  excerpt: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "There only with `include=excerpt`: how what is served begins, in plain words, at most 400 characters. Null where it has none, such as a picture, or was published before there were any"
  }),
  thumbnail: Schema.optionalKey(Schema.NullOr(ThumbnailSize)).annotate({
    description: "There only with `include=excerpt`: how large, in pixels, the picture is that `GET /v1/projects/{slug}/versions/{version}/thumbnail` answers. Null where there is none, or not yet: an image or a PDF is drawn soon after its publish"
  })
}

export const ProjectView = wire({ ...project, ...included, ...lacks }).annotate({ identifier: "Project" })

export const VersionView = wire({
  version: Schema.Int,
  kind: Kind,
  sizeBytes: Bytes,
  fileCount: Schema.Int,
  createdAt: Timestamp,
  createdBy: Schema.Struct({ id: Schema.String, name: Schema.String }),
  current: Schema.Boolean
}).annotate({ identifier: "Version" })

export const ProjectDetail = wire({ ...project, ...included, versions: Schema.Array(VersionView) }).annotate({ identifier: "ProjectDetail" })

export const UsageView = wire({ projects: Schema.Int, storageBytes: Bytes, seats: Schema.Int }).annotate({ identifier: "Usage" })

export const ProjectList = wire({
  projects: Schema.Array(ProjectView),
  usage: UsageView,
  nextCursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ProjectList" })

export const published = {
  slug: Schema.String,
  url: Schema.String,
  kind: Kind,
  version: Schema.Int,
  visibility: Visibility,
  password: Schema.NullOr(Schema.String),
  ...lacks
}

export const PublishedView = wire(published).annotate({ identifier: "Published" })

const LineView = wire({
  kind: Schema.Literals(["same", "removed", "added"]),
  text: Schema.String.annotate({ description: "Without its line break" }),
  noNewlineAtEnd: Schema.optionalKey(Schema.Literal(true)).annotate({ description: "On the last line of a text that ends without a line break" })
})

const counted = Schema.Int.annotate({ description: "Lines count from 1; a side without lines in the hunk has the number of the line before it" })

const HunkView = wire({ fromLine: counted, fromLines: Schema.Int, toLine: counted, toLines: Schema.Int, lines: Schema.Array(LineView) })
  .annotate({ identifier: "Hunk" })

const FileView = wire({ path: Schema.String, sizeBytes: Bytes })

export const ComparisonView = wire({
  from: Schema.Int,
  to: Schema.Int,
  summary: Schema.Struct({ added: Schema.Int, changed: Schema.Int, removed: Schema.Int, unchanged: Schema.Int })
    .annotate({ description: "Files, all of them counted" }),
  files: Schema.Struct({
    added: Schema.Array(FileView),
    changed: Schema.Array(wire({ path: Schema.String, sizeBytesFrom: Bytes, sizeBytesTo: Bytes })),
    removed: Schema.Array(FileView)
  }).annotate({ description: "By path; the first 1,000 of each" }),
  diffs: Schema.Array(wire({
    path: Schema.String,
    hunks: Schema.NullOr(Schema.Array(HunkView)).annotate({ description: "With three lines around each change; null where left out" }),
    leftOut: Schema.NullOr(Schema.Literals(["too_large", "no_room"])).annotate({
      description: "`too_large`: a side over 1 MB or 50,000 lines, more than 1,000 lines that went or came (in a text of over 10,000 lines fewer: 200 in one of 50,000), or a diff over 256 KB. `no_room`: the answer was full, at 50 files read, 4,000 such lines, found in vain too, or 256 KB."
    })
  })).annotate({ description: "Changed files that are text in both versions, by path" }),
  truncated: Schema.Boolean.annotate({ description: "Whether a list is cut or a diff left out" })
}).annotate({ identifier: "Comparison" })

export const FilesView = wire({
  version: Schema.Int.annotate({ description: "Whose files these are; 0 where nothing was published" }),
  files: Schema.Array(wire({
    path: Schema.String,
    sizeBytes: Bytes,
    sha256: Schema.String.annotate({ description: "Of its bytes, in lower-case hex" }),
    type: Schema.String.annotate({ description: "The Content-Type it is served with" })
  })).annotate({ description: "By path" }),
  nextCursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Files" })

export const AvailabilityView = Schema.Struct({
  slug: Schema.String,
  available: Schema.Boolean,
  reason: Schema.NullOr(Schema.Literals(["slug_taken", "slug_reserved", "validation_error"]))
}).annotate({ identifier: "Availability" })
