/**
 * What a request's context holds. The context is copied, several times a request, whenever something is provided, so none of
 * our services are in it: handlers capture those they call, and routes that look services up while they run get them here.
 */
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

const those = <R>(context: Context.Context<R>, wanted: (key: string) => boolean): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => wanted(key))))

const isOurs = (key: string) => key.startsWith("svc/")

/** Only what the library itself looks up: loggers, the clock, the platform. */
export const lightly = (context: Context.Context<never>): Context.Context<never> => those(context, (key) => !isOurs(key))

/** Provides our services to routes while they run. */
export const withServices = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  HttpRouter.provideRequest(Layer.effectContext(
    Effect.map(Effect.context<HttpRouter.Request.Only<"Requires", R>>(), (context) => those(context, isOurs))
  ))(routes)

/** What HttpApiBuilder looks up while it builds a group: the middleware before the handlers, and the library's own. */
const isBeforeHandlers = (key: string) => !isOurs(key) || key.startsWith("svc/http/contract/")

/** `HttpApiBuilder.group`, but requests do not carry the services that the handlers were built from: these hold them, as their types demand. */
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
