/**
 * What a request carries along. Its context is copied, more than once, where something is provided to it: so none of our
 * services are in there. Handlers hold those they call, and routes that look theirs up while they run are given them here.
 */
import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"

const those = <R>(context: Context.Context<R>, wanted: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => wanted(key))))

const isOurs = (key: string) => key.startsWith("svc/")

/** Loggers, the clock, the platform: what the library itself looks for. */
export const lightly = (context: Context.Context<never>): Context.Context<never> => those(context, (key) => !isOurs(key))

/** Gives routes, while they run, what they ask for. */
export const withServices = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.provideRequest(Layer.effectContext(
    Effect.map(Effect.context<HttpRouter.Request.Only<"Requires", R>>(), (context) => those(context, isOurs))
  ))(routes)
