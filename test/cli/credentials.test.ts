/** The file that holds the tokens of this machine: changed by several commands at once, left behind by one that was killed, edited by hand. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, assert, it, vi } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { changeCredentials, credentialsPath, readCredentials } from "../../src/cli/credentials.ts"
import { newFolder } from "../support/cli.ts"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const kept = (text: string) => {
  vi.stubEnv("XDG_CONFIG_HOME", newFolder())
  mkdirSync(dirname(credentialsPath()), { recursive: true })
  writeFileSync(credentialsPath(), text)
}

const signIn = (base: string) => changeCredentials(({ services }) => ({ current: base, services: { ...services, [base]: { token: "svc_x", email: "" } } }))

it.live("forgets none of several sign-ins at once, nor stumbles over what a killed run left", () =>
  Effect.gen(function*() {
    kept("{\"services\":{}}")
    // As runs of this pid would leave it; of the wait for a lock nothing is to be seen here.
    const left = [`${credentialsPath()}.${process.pid}`, `${credentialsPath()}.lock`]
    for (const path of left) writeFileSync(path, "")
    const { now } = performance
    const hurried = vi.spyOn(performance, "now").mockImplementation(() => now.call(performance) * 1000)
    yield* signIn("https://0.svc.test")
    hurried.mockRestore()
    const bases = Array.from({ length: 8 }, (_, index) => `https://${index}.svc.test`)
    yield* Effect.forEach(bases, signIn, { concurrency: "unbounded" })
    assert.sameMembers(Object.keys((yield* readCredentials).services), bases)
    assert.sameMembers(readdirSync(dirname(credentialsPath())), ["credentials.json", `credentials.json.${process.pid}`])
  }))

it.live("is written to its end where the run is stopped meanwhile", () =>
  Effect.gen(function*() {
    kept("{\"services\":{}}")
    const begun = yield* Deferred.make<void>()
    const writing = yield* Effect.forkChild(changeCredentials(() => {
      Deferred.doneUnsafe(begun, Effect.void)
      return { current: "https://svc.test", services: {} }
    }))
    yield* Deferred.await(begun)
    yield* Fiber.interrupt(writing)
    assert.deepStrictEqual(readdirSync(dirname(credentialsPath())), ["credentials.json"])
    assert.strictEqual((yield* readCredentials).current, "https://svc.test")
  }))

it.live("names the file where a word in it is no address or no token, and leaves it as it is", () =>
  Effect.gen(function*() {
    for (const text of [{ current: "localhost", services: {} }, { services: { "https://svc.test": { token: "svc_a\nb", email: "" } } }].map((one) => JSON.stringify(one))) {
      kept(text)
      const { message } = yield* Effect.flip(signIn("https://svc.test"))
      assert.strictEqual(message, `${join(process.env["XDG_CONFIG_HOME"]!, "svc", "credentials.json")} is not as svc wrote it.`)
      assert.strictEqual(readFileSync(credentialsPath(), "utf8"), text)
    }
  }))
