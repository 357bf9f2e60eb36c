/** A bucket for tests: an S3 double, and the keys that the SDK reads from the environment. */
import { Effect } from "effect"
import { startFauxqs } from "fauxqs"
import { afterAll, beforeAll } from "vitest"

const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" }

/** Lives as long as the tests of a file run. */
export const withBucketKeys = (): void => {
  const before = { ...process.env }
  beforeAll(() => Object.assign(process.env, keys))
  afterAll(() => {
    for (const name of Object.keys(keys)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  })
}

export const bucketDouble = (bucket: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = await startFauxqs({ port: 0, logger: false })
      server.createBucket(bucket)
      return server
    }),
    (server) => Effect.promise(() => server.stop())
  )
