/**
 * What a request carries along. Its context is copied, more than once, where something is provided to it: so none of our
 * services are in there. Handlers hold those they call, and routes that look theirs up while they run are given them here.
 */
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

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

/** What a group of handlers stands behind is looked up as it is built, beside what the library itself looks for. */
const isBeforeHandlers = (key: string) => !isOurs(key) || key.startsWith("svc/http/contract/")

/** `HttpApiBuilder.group`, whose requests do not take along what their handlers were built from: those hold it already, as their types demand. */
export const handlersOf: typeof HttpApiBuilder.group = (api, name, build) => {
  const made = (context: Context.Context<never>) =>
    HttpApiBuilder.group(api, name, (handlers) => {
      const implemented = build(handlers)
      return (Effect.isEffect(implemented) ? Effect.provideContext(implemented, context) : implemented) as typeof implemented
    })
  const builtWith = <A, E, R>(layer: Layer.Layer<A, E, R>) =>
    Effect.updateContext(Layer.build(layer), (context: Context.Context<R | Scope.Scope>) => those(context, isBeforeHandlers))
  return Layer.effectContext(Effect.contextWith((context: Context.Context<never>) => builtWith(made(context))))
}
