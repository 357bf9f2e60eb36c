/** Variables that look like ours and that nothing reads: some are slips, and others belong to whoever runs the service. */
import { distance } from "fastest-levenshtein"

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

const letters = (word: string): string => [...word].sort().join("")

/** One letter in five, and never more than two: any other four letters are a word of their own. Two letters that changed places are one slip. */
const isNear = (given: string, meant: string): boolean => {
  const slips = letters(given) === letters(meant) ? distance(given, meant) / 2 : distance(given, meant)
  return slips <= Math.min(2, Math.floor(meant.length / 5))
}

const isLonger = (long: string, short: string): boolean => long.length === short.length + 1 && distance(long, short) === 1

/** The first word says what a name is about, so it may be misspelt and not be another one: SMPT_URL is SMTP_URL, DTA_DIR is DATA_DIR, API_URL is not APP_URL. */
const isSlip = (given: string, meant: string): boolean => {
  const [first, firstMeant] = [given.split("_")[0]!, meant.split("_")[0]!]
  const sameSubject = isNear(first, firstMeant) || letters(first) === letters(firstMeant) || isLonger(first, firstMeant) || isLonger(firstMeant, first)
  return given.replaceAll("_", "") === meant.replaceAll("_", "") || (sameSubject && isNear(given, meant))
}

export interface Stranger {
  readonly name: string
  /** The name of ours that is all but certainly meant, and that is not set beside it. */
  readonly meant: string | undefined
}

export const strangersIn = (environment: Environment, ours: ReadonlyArray<string>): ReadonlyArray<Stranger> =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && environment[name] !== "" && !ours.includes(name) && !ELSEWHERE.includes(name))
    .map((name) => ({
      name,
      meant: ours.find((one) => (environment[one] ?? "") === "" && isSlip(name.slice(PREFIX.length), one.slice(PREFIX.length)))
    }))
