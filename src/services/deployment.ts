/** Refuses to start on packs of another deployment: the collector would remove all that this database does not know. */
import { Effect, Layer, Option } from "effect"
import { areOurs, belonging } from "../domain/projects/belonging.ts"
import type { Belonging } from "../domain/projects/belonging.ts"
import { StartRefused } from "./start-refused.ts"

/** Where the packs are, and the variable that sets it. */
export interface PacksPlace {
  readonly name: string
  readonly variable: string
}

const refusal = ({ name, variable }: PacksPlace, { database, packs }: Belonging): string =>
  Option.match(packs, {
    onNone: () => `${name} holds packs, and the database (deployment ${database}) knows none of them`,
    onSome: (theirs) => `${name} holds the packs of deployment ${theirs}, and the database is that of deployment ${database}`
  }) + `; start with the database they belong to, restored first where it is lost, or name another place with ${variable}.`

/** A store that cannot be reached does not stop the start: the collector asks again, and removes nothing until it knows. */
export const PacksOurs = (place: PacksPlace) =>
  Layer.effectDiscard(belonging.pipe(
    Effect.flatMap((found) => areOurs(found) ? Effect.void : Effect.fail(new StartRefused({ message: refusal(place, found) }))),
    Effect.catchTag("unavailable", () => Effect.logWarning("Blob store: could not be asked whose packs it holds"))
  ))
