/** What openapi.json, and the documents made from it, say about an endpoint. */
import { OpenApi } from "effect/http-api"

export const annotate = (summary: string, description?: string, override?: Record<string, unknown>) =>
  OpenApi.annotations({ summary, description, override })
