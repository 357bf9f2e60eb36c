/**
 * Refuses to start on packs of another deployment, since the collector would remove all that this database does not know; and on none,
 * where it knows some.
 */
import { Effect, Layer, Option } from "effect"
import { areOurs, belonging } from "../domain/projects/packs/belonging.ts"
import type { Belonging } from "../domain/projects/packs/belonging.ts"
import { StartRefused } from "./start-refused.ts"

/** Where the packs are, and the variable that sets it. */
export interface PacksPlace {
  readonly name: string
  readonly variable: string
}

const refusal = ({ name, variable }: PacksPlace, { database, missing, packs }: Belonging): string => {
  if (missing > 0) {
    return `${name} holds no packs, and the database (deployment ${database}) knows ${missing}; mount or copy them there first, or name the ` +
      `place that holds them with ${variable}. docs/deploy.md says how, and what to do where they are lost.`
  }
  const whose = Option.match(packs, {
    onNone: () => `${name} holds packs, and the database (deployment ${database}) knows none of them`,
    onSome: (theirs) => `${name} holds the packs of deployment ${theirs}, and the database is that of deployment ${database}`
  })
  return `${whose}; start with the database they belong to, restored first where it is lost, or name another place with ${variable}.`
}

const unasked = ({ name, variable }: PacksPlace): string =>
  `${name} could not be asked whose packs it holds; until it can, all that needs them is told 503. ` +
  `If that does not end by itself, correct ${variable === "SVC_S3_BUCKET" ? "the variables SVC_S3_* and AWS_*" : variable}, and start again.`

/** A store that cannot be reached does not stop the start: the collector asks again, and removes nothing until it knows. */
export const PacksOurs = (place: PacksPlace) =>
  Layer.effectDiscard(belonging.pipe(
    Effect.flatMap((found) => areOurs(found) ? Effect.void : Effect.fail(new StartRefused({ message: refusal(place, found) }))),
    Effect.catchTag("unavailable", () => Effect.logWarning(unasked(place)))
  ))
