/** A bucket that speaks S3, in this process, and the settings by which a process of the program reaches it. */
import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3"
import { startFauxqs } from "fauxqs"
import { atEnd } from "../bench/closing.ts"
import type { Environment } from "../test/support/program.ts"

const BUCKET = "packs"
const credentials = { accessKeyId: "test", secretAccessKey: "test" }

export interface Bucket {
  readonly port: number
  /** Through a proxy of its own, or directly. */
  readonly environment: (port?: number) => Environment
  /** The packs in it. */
  readonly packs: () => Promise<ReadonlyArray<string>>
}

export const openBucket = async (): Promise<Bucket> => {
  const double = await startFauxqs({ port: 0, logger: false })
  double.createBucket(BUCKET)
  const client = new S3Client({ endpoint: `http://127.0.0.1:${double.port}`, region: "us-east-1", forcePathStyle: true, credentials })
  atEnd(() => {
    client.destroy()
    return double.stop()
  })
  return {
    port: double.port,
    environment: (port = double.port) => ({
      SVC_S3_BUCKET: BUCKET,
      SVC_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      SVC_S3_FORCE_PATH_STYLE: "true",
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey
    }),
    packs: async () => {
      const found: Array<string> = []
      for (let page: string | undefined, more = true; more; more = page !== undefined) {
        const { Contents = [], NextContinuationToken } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: "packs/", ContinuationToken: page }))
        found.push(...Contents.map(({ Key = "" }) => Key.slice("packs/".length)))
        page = NextContinuationToken
      }
      return found
    }
  }
}
