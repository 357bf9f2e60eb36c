/** What a course runs on: a database over TCP, a mail server, and as many processes of the program as it starts. */
import { atEnd } from "../bench/closing.ts"
import { openPostOffice } from "../test/support/post-office.ts"
import type { PostOffice } from "../test/support/post-office.ts"
import { clearAway, endAll, newFolder, serve } from "../test/support/program.ts"
import type { Environment, Program } from "../test/support/program.ts"
import { openCluster } from "./cluster.ts"
import type { Cluster } from "./cluster.ts"

export interface Ground {
  readonly cluster: Cluster
  readonly post: PostOffice
  readonly environment: Environment
  readonly start: (own?: Environment) => Promise<Program>
}

export const openGround = async (given: Environment = {}): Promise<Ground> => {
  // Undone last of all: the folders that hold everything else.
  atEnd(clearAway)
  const cluster = await openCluster()
  const post = await openPostOffice()
  atEnd(post.stop)
  atEnd(endAll)
  const environment = {
    SVC_DATABASE_URL: cluster.url(),
    SVC_SECRET: "a secret that all of them know, and nobody else",
    SVC_SMTP_URL: post.url,
    SVC_BASE_URL: "http://svc.localhost",
    SVC_TRUSTED_PROXY_HOPS: "1",
    ...given
  }
  // Without a bucket, the packs of all are in one folder.
  const folder = newFolder()
  return { cluster, post, environment, start: (own) => serve({ SVC_DATA_DIR: "SVC_S3_BUCKET" in environment ? newFolder() : folder, ...environment, ...own }) }
}
