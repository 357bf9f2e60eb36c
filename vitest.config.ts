/** How the tests run: one database cluster for the whole run, three files at a time, since each waits now and then; what measures time runs after, alone. */
import { defineConfig } from "vitest/config"
import SlowFirst from "./scripts/slow-first.mjs"

const MEASURING = "test/http/login-timing.test.ts"

const shared = {
  globalSetup: ["test/support/cluster.ts"],
  pool: "forks",
  // Only for what hangs: a machine that is slow or busy with something else has all the time it needs.
  testTimeout: 300_000,
  hookTimeout: 300_000
} as const

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        test: {
          ...shared,
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: [MEASURING],
          maxWorkers: 3,
          // The files that one worker runs share their modules: loading them anew was a third of all the work.
          isolate: false,
          // As Node runs them, types taken off: each import by way of Vite's own loader was a tenth of all the work. Nothing here is mocked.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          sequence: { groupOrder: 0 }
        }
      },
      { test: { ...shared, name: "measuring", include: [MEASURING], maxWorkers: 1, sequence: { groupOrder: 1 } } }
    ]
  }
})
