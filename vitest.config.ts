/** How the tests run: one database cluster for the whole run, two files at a time; what measures time runs after, alone. */
import { defineConfig } from "vitest/config"

const MEASURING = "test/http/login-timing.test.ts"

const shared = {
  globalSetup: ["test/support/cluster.ts"],
  pool: "forks",
  testTimeout: 30_000,
  hookTimeout: 30_000
} as const

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: "all", isolate: false, include: ["test/**/*.test.ts"], exclude: [MEASURING], maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { test: { ...shared, name: "measuring", include: [MEASURING], maxWorkers: 1, sequence: { groupOrder: 1 } } }
    ]
  }
})
