/** What no order of events may lead to, by what the database counts, keeps and hides of a workspace. */
import type { Cluster } from "./cluster.ts"
import { PLANS } from "./walking/world.ts"
import type { Plan } from "./walking/world.ts"

/** Whether the workspace is to be erased, with whoever was in it. */
const ENDS = "EXISTS (SELECT 1 FROM workspaces w WHERE w.id = $1 AND w.deletion_id IS NOT NULL)"

/** Each statement finds where it came to that, in the workspace $1 on this plan. */
const balancesOf = ({ kept, projects }: typeof PLANS[Plan]): Readonly<Record<string, string>> => ({
  "the number of projects": `
    SELECT w.project_count AS noted, n.count FROM workspaces w, LATERAL (SELECT count(*) FROM projects p WHERE p.workspace_id = w.id AND p.deleted_at IS NULL) n
    WHERE w.id = $1 AND w.project_count <> n.count`,
  "the storage": `
    SELECT w.storage_bytes AS noted, n.sum FROM workspaces w, LATERAL (SELECT coalesce(sum(size_bytes), 0) AS sum FROM packs WHERE workspace_id = w.id AND unnamed_since IS NULL) n
    WHERE w.id = $1 AND w.storage_bytes <> n.sum`,
  "packs that count though no version names them, or the other way round": `
    SELECT k.id FROM packs k WHERE k.workspace_id = $1 AND (k.unnamed_since IS NULL) <> EXISTS (SELECT 1 FROM version_packs vp WHERE vp.pack_id = k.id)`,
  "versions whose bytes are in no pack of theirs": `
    SELECT v.id FROM versions v JOIN projects p ON p.id = v.project_id, LATERAL jsonb_each(v.manifest::jsonb) AS file(path, asset)
    WHERE p.workspace_id = $1 AND (asset ->> 'length')::int8 > 0
      AND NOT EXISTS (SELECT 1 FROM version_packs vp WHERE vp.version_id = v.id AND vp.pack_id = (asset ->> 'pack')::uuid)`,
  "versions beyond those that are kept": `
    SELECT p.slug, count(*) FROM projects p JOIN versions v ON v.project_id = p.id WHERE p.workspace_id = $1 GROUP BY p.id HAVING count(*) > ${kept}`,
  "projects that serve another than their newest version": `
    SELECT p.slug FROM projects p WHERE p.workspace_id = $1 AND p.deleted_at IS NULL
      AND p.current_version_id IS DISTINCT FROM (SELECT v.id FROM versions v WHERE v.project_id = p.id ORDER BY v.version DESC LIMIT 1)`,
  "projects that a private folder hides from their owners": `
    SELECT p.slug FROM projects p JOIN folders f ON f.id = p.folder_id
    WHERE p.workspace_id = $1 AND p.deleted_at IS NULL AND (f.workspace_id <> $1 OR f.sharing = 'private' AND f.created_by <> p.owner_id)`,
  "private folders of people who left": `
    SELECT f.id FROM folders f WHERE f.workspace_id = $1 AND f.sharing = 'private' AND NOT ${ENDS}
      AND NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = $1 AND m.user_id = f.created_by)`,
  "a team without an admin": `
    SELECT 1 AS nobody WHERE NOT ${ENDS} AND NOT EXISTS (SELECT 1 FROM members WHERE workspace_id = $1 AND role = 'admin')`,
  "projects beyond those of the plan": `
    SELECT w.project_count FROM workspaces w WHERE w.id = $1 AND w.project_count > ${projects}`
})

/** One line for each balance that does not come out. */
export const unbalanced = async (cluster: Cluster, workspace: string, plan: Plan): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for (const [what, text] of Object.entries(balancesOf(PLANS[plan]))) {
    const found = await cluster.statement(text, [workspace])
    if (found.length > 0) lines.push(`${what}: ${JSON.stringify(found.slice(0, 3))}`)
  }
  return lines
}
