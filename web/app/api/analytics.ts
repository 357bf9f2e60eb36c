/** Who read a project, in figures. */
import { queryOptions } from "@tanstack/react-query"
import { baseUrl } from "./base.ts"
import { api, take } from "./client.ts"
import type { components } from "./client.ts"
import { keys } from "./queries.ts"

export type Analytics = components["schemas"]["Analytics"]

export const analyticsOf = (slug: string, days: number) =>
  queryOptions({
    queryKey: keys.analytics(slug, days),
    queryFn: async ({ signal }) => (await take(api.GET("/v1/projects/{slug}/analytics", { params: { path: { slug }, query: { days } }, signal }))) as Analytics
  })

export const analyticsCsvUrl = (slug: string, days: number): string => `${baseUrl}/v1/projects/${slug}/analytics?days=${days}&format=csv`
