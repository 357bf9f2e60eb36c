/** A vitest reporter for scripts/test.mjs: counts, and every skipped test with its reason, as JSON. */
import { writeFileSync } from "node:fs"

export default class Tally {
  onTestRunEnd(modules, unhandledErrors) {
    const tally = { passed: 0, failed: unhandledErrors.length, skipped: [] }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { note, state } = test.result()
        if (state === "passed") tally.passed++
        else if (state === "failed") tally.failed++
        else {
          const brokenSetup = test.parent.type === "suite" && test.parent.errors().length > 0
          tally.skipped.push({
            name: `${module.relativeModuleId} > ${test.fullName}`,
            why: note ?? (brokenSetup ? "its setup failed" : state === "pending" ? "it never ran" : undefined)
          })
        }
      }
      // A file that does not load, or a hook that throws, is a failure that no test shows.
      tally.failed += module.errors().length
      for (const suite of module.children.allSuites()) tally.failed += suite.errors().length
    }
    writeFileSync(process.env.SVC_TALLY, JSON.stringify(tally))
  }
}
