/** All tools, in the order agents see them: publishing first. Loads nothing of the SDK. */
import { setCommenters } from "./allowlists.ts"
import { getAnalytics } from "./analytics.ts"
import { catchUp } from "./catch-up.ts"
import { deleteComment, editComment, getComments, replyComment, resolveComment } from "./comments.ts"
import { createFolder, deleteFolder, listFolders, updateFolder } from "./folders.ts"
import { listProjects } from "./list-projects.ts"
import { deleteProject, getProjectLink, moveProject, setVisibility } from "./projects.ts"
import { publish } from "./publish.ts"
import { createShareLink, listShareLinks, revokeShareLink } from "./share-links.ts"
import { update } from "./update.ts"
import { appendUpload, beginUpload, finishUpload } from "./uploads.ts"
import { listVersions, readProject, restoreVersion } from "./versions.ts"
import type { Needs, Tool } from "./tool.ts"

const all = [
  publish,
  update,
  listProjects,
  readProject,
  getProjectLink,
  setVisibility,
  setCommenters,
  moveProject,
  deleteProject,
  catchUp,
  getComments,
  replyComment,
  resolveComment,
  editComment,
  deleteComment,
  getAnalytics,
  createShareLink,
  listShareLinks,
  revokeShareLink,
  listFolders,
  createFolder,
  updateFolder,
  deleteFolder,
  listVersions,
  restoreVersion,
  beginUpload,
  appendUpload,
  finishUpload
] as const

/** The caller, and the programs that tools call. */
export type ToolParts = Needs<(typeof all)[number]>

export const TOOLS: ReadonlyArray<Tool<ToolParts>> = all
