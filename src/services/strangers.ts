/** Variables that look like ours and that nothing reads: some are slips, and others belong to whoever runs the service. */
import { isShuffled, isSlip } from "../domain/names.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** Read by the command line and by agents' clients, and often set in the same shell. */
const ELSEWHERE = ["SVC_TOKEN", "SVC_AUTHORIZATION"]

const PREFIX = "SVC_"

const LINK = /^(?:tcp|udp|sctp):\/\//i

/** Kubernetes sets these in every pod beside a Service whose name begins with svc: SVC_PORT itself is then tcp://10.0.0.1:8787. */
const isServiceLink = (name: string, value = ""): boolean =>
  /_SERVICE_(?:HOST|PORT(?:_.+)?)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_.+)?$/.test(name) || (name.endsWith("_PORT") && LINK.test(value))

export const withoutServiceLinks = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name, value]) => !isServiceLink(name, value)))

export interface Stranger {
  readonly name: string
  /** The name of ours that is all but certainly meant, and that is not set beside it. */
  readonly meant: string | undefined
}

const isMeant = (given: string, meant: string): boolean => isSlip(given, meant) || isShuffled(given, meant)

export const strangersIn = (environment: Environment, ours: ReadonlyArray<string>): ReadonlyArray<Stranger> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && environment[name] !== "" && !ours.includes(name) && !ELSEWHERE.includes(name))
    .map((name) => ({
      name,
      meant: ours.find((one) => (environment[one] ?? "") === "" && isMeant(name.slice(PREFIX.length), one.slice(PREFIX.length)))
    }))
