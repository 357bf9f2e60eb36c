/** What commands tell of projects whose workspace no longer lets anybody open them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { environment, newFolder, ran } from "../support/cli.ts"
import { Service, serviceWith } from "../support/service.ts"

layer(serviceWith({ SVC_TRIAL: "enforced", SVC_PLATFORM_ADMINS: "root@example.com" }), { excludeTestServices: true })("a workspace whose links are down", (it) => {
  it.effect("opens none of its projects, and no command says that one opens", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { token, workspaceId } = yield* service.account({ trialDays: 1 })
      const env = environment({ SVC_BASE_URL: `http://svc.localhost:${service.port}`, SVC_TOKEN: token })
      const run = (...args: ReadonlyArray<string>) => ran(args, env)
      const site = newFolder({ "index.html": "1", "a.txt": "a" })
      assert.strictEqual((yield* run("publish", site, "--slug", "cli-ended")).code, 0)
      assert.include((yield* run("info", "cli-ended")).stdout, "Access     Anyone with this address can open it.")
      yield* service.inside(Effect.orDie(SqlClient.SqlClient.use((sql) => Effect.andThen(
        sql`UPDATE workspaces SET trial_ends_at = now() - interval '40 days' WHERE id = ${workspaceId}`,
        sql`UPDATE deployment SET trials_enforced_since = now() - interval '40 days'`
      ))))
      assert.strictEqual((yield* service.ask("/", { host: "cli-ended.svc.localhost" })).status, 410)
      const says = "Opens for nobody: the workspace’s trial or subscription has ended. svc whoami shows how it stands."
      const [info, list, set, again] = yield* Effect.all([run("info", "cli-ended"), run("list"), run("set", "cli-ended", "--indexing", "on"), run("publish", site, "--slug", "cli-ended")], { concurrency: 4 })
      assert.include(info.stdout, `Access     ${says}`)
      assert.match(list.stdout, /cli-ended .* nobody /)
      assert.match((yield* run("whoami")).stdout, / owner +studio, links down since \d+ \w+ \d{4}$/m)
      assert.include(set.stdout, says)
      // It does not open until then.
      assert.notInclude((yield* run("set", "cli-ended", "--expires-in-days", "9")).stdout, "It stops opening")
      const operator = environment({ SVC_BASE_URL: `http://svc.localhost:${service.port}`, SVC_TOKEN: (yield* service.account({ email: "root@example.com" })).token })
      const looked = yield* ran(["admin", "workspace", workspaceId], operator)
      assert.match(looked.stdout, /^Links down since  \d+ \w+ \d{4}, .* \(10 days ago\)$/m)
      assert.deepStrictEqual([again.code, again.stderr.includes(says)], [0, true])
      // The link is made, and opens once somebody pays.
      const link = yield* run("share", "add", "cli-ended", "Acme")
      assert.include(link.stderr, says)
      assert.match(link.stdout, /^http\S+\n$/)
    }))
})
