/** Well-formed values made from a schema: of an object the required fields, or the first where all may be left out, though not a slug. */
export type Shape = Readonly<Record<string, unknown>>

interface Documents {
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

/** Values by field name, where the type alone says too little. */
const NAMED: Readonly<Record<string, unknown>> = {
  slug: "my-report",
  body: "Say why",
  client: "laptop",
  client_id: "01900000-0000-7000-8000-000000000000",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
  current_password: "a long phrase",
  device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
  email: "ada@example.com",
  emails: "ada@example.com",
  label: "Acme",
  name: "Ada",
  new_password: "another long phrase",
  password: "a long phrase",
  redirect_uri: "https://agent.example/callback",
  title: "Week 47",
  token: "svc_…",
  user_code: "ABCDE-FGHJK",
  version: 1,
  from: 1,
  to: 2
}

const FORMS: Readonly<Record<string, unknown>> = {
  uuid: "01900000-0000-7000-8000-000000000000",
  "date-time": "2027-01-31T12:00:00.000Z"
}

/** What a schema's `$ref` names, or the schema itself. */
export const resolved = (document: Documents, schema: Shape): Shape => {
  const reference = schema["$ref"]
  return typeof reference === "string" ? document.components.schemas[reference.split("/").at(-1) ?? ""] as Shape ?? {} : schema
}

export const sample = (document: Documents, given: Shape, name = ""): unknown => {
  const schema = resolved(document, given)
  const union = (schema["anyOf"] ?? schema["oneOf"]) as ReadonlyArray<Shape> | undefined
  if (union !== undefined) return sample(document, union.find(({ type }) => type !== "null") ?? {}, name)
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  if (schema["properties"] !== undefined) {
    const properties = Object.entries(schema["properties"] as Record<string, Shape>)
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    // Consent needs PKCE, though the schema accepts a request without it.
    const sent = properties.filter(([key]) => required.has(key) || key.startsWith("code_challenge"))
    return Object.fromEntries((sent.length === 0 ? properties.filter(([key]) => key !== "slug").slice(0, 1) : sent).map(([key, property]) => [key, sample(document, property, key)]))
  }
  if (schema["type"] === "array") return [sample(document, (schema["items"] ?? {}) as Shape, name)]
  if (schema["format"] !== undefined && String(schema["format"]) in FORMS) return FORMS[String(schema["format"])]
  if (name in NAMED) return NAMED[name]
  if (schema["type"] === "integer" || schema["type"] === "number") return schema["minimum"] ?? 1
  return schema["type"] === "boolean" ? true : "…"
}
