/** What ten times as much of everything costs: two services side by side, one with ten times the rows of the other. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { HostingStore } from "../src/domain/hosting/store.ts"
import { ViewStore } from "../src/domain/analytics/store.ts"
import { dayOf } from "../src/domain/days.ts"
import { PLANS } from "../src/domain/workspaces/rules.ts"
import { HostingStoreSql } from "../src/services/database/hosting.ts"
import { ViewStoreSql } from "../src/services/database/views.ts"
import { DAYS, seedViews } from "./analytics.ts"
import type { Bench } from "./bench.ts"
import { inBlocks, interleaved, timed } from "./pairs.ts"
import { atLeast, atMost, milliseconds, paired, perSecond } from "./report.ts"
import { choosePlan, startService } from "./service.ts"
import type { Service } from "./service.ts"
import { page } from "./site.ts"

interface Size {
  readonly projects: number
  readonly members: number
  readonly versions: number
  /** The plan whose number of versions the full projects have reached. */
  readonly full: "studio" | "agency"
  readonly views: number
}

const tenfold = ({ members, projects, versions, views }: Size): Size =>
  ({ projects: projects * 10, members: members * 10, versions: versions * 10, full: "agency", views: views * 10 })

const SMALL: Size = { projects: 200_000, members: 100, versions: 5, full: "studio", views: 100_000 }
const QUICK: Size = { ...SMALL, projects: 5_000, members: 20, views: 10_000 }

/** Projects published to in turn, so that none of them reaches its plan's number of versions meanwhile. */
const IN_TURN = 10

/** Other people's projects: ten per workspace, each serving one version. */
const crowd = (projects: number): ReadonlyArray<string> => [
  "SET session_replication_role = replica",
  `INSERT INTO workspaces (id, name, plan, project_count, created_at)
   SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Home', 'studio', 10, now() FROM generate_series(0, ${projects / 10 - 1}) n`,
  `INSERT INTO projects (id, workspace_id, owner_id, slug, title, visibility, comments_enabled, html_display_mode, comment_access,
     comment_allowlist_inherit, indexable, version, current_version_id, created_at, updated_at)
   SELECT id, ('00000000-0000-4000-8000-' || lpad((n / 10)::text, 12, '0'))::uuid, (SELECT u.id FROM users u LIMIT 1), 'crowd-' || n, 'Title',
     'public', false, 'auto', 'members', false, false, 1, id, now(), now()
   FROM (SELECT n, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid AS id FROM generate_series(0, ${projects - 1}) n) s`,
  `INSERT INTO versions (id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest)
   SELECT id, id, 1, 'site', 'index.html', 1, 1, owner_id, now(), '{}' FROM projects WHERE slug LIKE 'crowd-%'`
]

/** Colleagues of the demo account, a hundredth of all other projects moved to its workspace, and many versions of some of its own. */
const around = ({ full, members, versions }: Size): ReadonlyArray<string> => [
  `INSERT INTO users (id, email, name, created_at)
   SELECT ('00000000-0000-4000-a000-' || lpad(n::text, 12, '0'))::uuid, 'member-' || n || '@example.com', 'Ada', now() FROM generate_series(1, ${members}) n`,
  `INSERT INTO members (workspace_id, user_id, role, is_owner, joined_at)
   SELECT (SELECT workspace_id FROM projects WHERE slug = 'hot'), id, 'member', false, now() FROM users WHERE email LIKE 'member-%'`,
  "UPDATE projects SET workspace_id = (SELECT workspace_id FROM projects WHERE slug = 'hot') WHERE slug LIKE 'crowd-%00'",
  `INSERT INTO versions (id, project_id, version, kind, entry, size_bytes, file_count, created_by, created_at, manifest)
   SELECT gen_random_uuid(), p.id, n, v.kind, v.entry, v.size_bytes, v.file_count, v.created_by, now(), v.manifest
   FROM projects p JOIN versions v ON v.id = p.current_version_id,
     generate_series(2, CASE WHEN p.slug LIKE 'deep-%' THEN ${versions} ELSE ${PLANS[full].versionsKept} END) n
   WHERE p.slug LIKE 'deep-%' OR p.slug LIKE 'full-%'`,
  `INSERT INTO packs (id, workspace_id, size_bytes, created_at)
   SELECT v.id, p.workspace_id, v.size_bytes, now() FROM versions v JOIN projects p ON p.id = v.project_id WHERE v.version > 1`,
  "INSERT INTO version_packs (version_id, pack_id) SELECT id, id FROM versions WHERE version > 1",
  `UPDATE projects p SET version = v.version, current_version_id = v.id FROM versions v
   WHERE v.project_id = p.id AND v.version > 1 AND v.version = (SELECT max(version) FROM versions o WHERE o.project_id = p.id)`,
  "SET session_replication_role = origin",
  "VACUUM (ANALYZE)"
]

const grown = async (size: Size) => {
  const service = await startService()
  await choosePlan(service, "agency")
  const put = (slug: string) => service.ask(`/v1/projects/${slug}`, { method: "PUT", headers: { "content-type": "text/html" }, body: page(10_000) })
  await put("hot")
  for (let n = 0; n < IN_TURN; n++) for (const stem of ["deep", "full"]) await put(`${stem}-${n}`)
  for (let n = 0; n < 30; n++) await put(`mine-${n}`)
  for (const statement of [...crowd(size.projects), ...around(size)]) await service.sql(statement)
  const { id } = JSON.parse((await service.ask("/v1/projects/hot")).text) as { readonly id: string }
  const days = Array.from({ length: DAYS }, (_, back) => dayOf(Date.now()) - back)
  const views = await service.run(Effect.scoped(Effect.provide(ViewStore, ViewStoreSql)))
  await service.run(views.makeRoom(days))
  await seedViews(service, id, size.views, days)
  await service.sql("VACUUM (ANALYZE)")
  const hosting = await service.run(Effect.scoped(Effect.provide(HostingStore, HostingStoreSql)))
  return { service, hosting, size, put }
}

const LOOKUPS = 2_000

/** So many visits one by one, each of a project that was not visited lately. */
const lookUp = ({ hosting, service, size }: { readonly hosting: typeof HostingStore.Service; readonly service: Service; readonly size: Size }) => async () => {
  const slugs = Array.from({ length: LOOKUPS }, () => `crowd-${Math.floor(Math.random() * size.projects)}`)
  const looks: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.forEach(slugs, (slug) => hosting.visits([{ slug, pass: null }]), { discard: true })
  return LOOKUPS * 1_000 / await timed(() => service.run(looks))
}

export const growth: Bench = async ({ note, quick, tell }) => {
  const few = quick ? QUICK : SMALL
  const many = tenfold(few)
  tell(`laying down ${few.projects} and ${many.projects} projects`)
  const [small, big] = [await grown(few), await grown(many)]

  tell("looking slugs up")
  const both = { big: lookUp(big), small: lookUp(small) }
  await interleaved(2, both)
  const found = await interleaved(quick ? 4 : 12, both)

  const get = (path: string) => ({ service }: typeof big) => () => timed(() => service.ask(path))
  const advance = (stem: string) => ({ put }: typeof big) => {
    let turn = 0
    return () => timed(() => put(`${stem}-${turn++ % IN_TURN}`))
  }
  const open = ({ service }: typeof big) => () => timed(() => service.ask("/", { headers: { host: `hot.svc.localhost:${service.port}`, "accept": "text/html" } }))
  const works = {
    "a page opened": open,
    [`one more version of a project with ${many.versions}, of one with ${few.versions}`]: advance("deep"),
    "a list of 20": get("/v1/projects?limit=20"),
    "a project, by one member of ten times as many": get("/v1/projects/mine-7"),
    "who one is": get("/v1/me"),
    "30 days of views": get("/v1/projects/hot/analytics")
  }
  const rows = [paired("growth", `slug looked up, ${few.projects / 1e3} k to ${many.projects / 1e3} k projects`, perSecond, found.big, ["a tenth", found.small], atLeast(0.8))]
  const compare = async (what: string, work: (grown: typeof big) => () => Promise<number>) => {
    tell(what)
    const pair = { big: work(big), small: work(small) }
    await interleaved(quick ? 20 : 60, pair)
    const taken = await inBlocks(quick ? 4 : 10, 30, pair)
    rows.push(paired("growth", what, milliseconds, taken.big, ["a tenth", taken.small], atMost(1.25)))
  }
  for (const [what, work] of Object.entries(works)) await compare(what, work)
  await choosePlan(small.service, few.full)
  await compare(`one more where ${PLANS[many.full].versionsKept} are kept and the oldest goes, where ${PLANS[few.full].versionsKept} are`, advance("full"))
  note(
    `two services on databases of their own, nothing pinned, p50s one by one; ${few.projects} beside ${many.projects} projects, ` +
      `${few.members} beside ${many.members} members, ${few.versions} beside ${many.versions} versions, ${few.views} beside ${many.views} views`
  )
  return rows
}
