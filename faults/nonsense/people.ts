/** Who asks: somebody with a workspace in which there is something of everything, so that a request finds what it names. */
import type { Question } from "../../test/support/ask.ts"
import { comesIn, elsewhere, NEWCOMER_PASSWORD } from "../../test/support/newcomers.ts"
import type { Newcomer } from "../../test/support/newcomers.ts"
import type { PostOffice } from "../../test/support/post-office.ts"
import type { Program } from "../../test/support/program.ts"

/** What is there, by the name under which requests ask for it. */
export type There = Readonly<Record<string, ReadonlyArray<unknown>>>

export interface Asker {
  readonly person: Newcomer
  readonly slugs: ReadonlyArray<string>
  readonly there: There
  /** The ids of what has only an id, by how it is listed. */
  readonly ids: There
}

const PAGES: ReadonlyArray<readonly [name: string, type: string, body: string, query: string]> = [
  ["site", "text/html", "<!doctype html><title>A site</title><h1>Hello</h1>", "comments_enabled=true"],
  ["notes", "text/markdown", "# Notes\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "comments_enabled=true&comment_access=anyone"],
  ["table", "text/csv", "a,b\n1,2\n\"x\ny\",3\n", "visibility=password"],
  ["facts", "application/json", "{\"a\":[1,{\"b\":null}]}", "visibility=private"],
  ["plain", "text/plain", "Hello\n", ""],
  ["drawing", "image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"/>", ""]
]

export const newAsker = async (program: Program, post: PostOffice, name: string): Promise<Asker> => {
  const person = await comesIn(program, post, name)
  const as = async (path: string, question: Question) => {
    const answer = await program.ask(path, { ...question, headers: { ...person.bearer, ...elsewhere(), ...question.headers } })
    if (answer.status >= 300) throw new Error(`before anything is asked wrongly: ${path} ${answer.status} ${answer.text}`)
    return answer.json
  }
  const slugs = PAGES.map(([kind]) => `${name}-${kind}`)
  for (const [at, [, type, body, query]] of PAGES.entries()) {
    for (const again of ["", "\n"]) await as(`/v1/projects/${slugs[at]}${again === "" ? `?${query}` : ""}`, { method: "PUT", body: body + again, headers: { "content-type": type } })
  }
  const [folder, inner] = [await as("/v1/folders", { json: { name: "Ours" } }), await as("/v1/folders", { json: { name: "Mine", sharing: "private" } })]
  const link = await as(`/v1/projects/${slugs[1]}/share-links`, { json: { label: "For Bob" } })
  const comment = await as(`/v1/projects/${slugs[0]}/comments`, { json: { body: "A word" } })
  const invite = await as("/v1/workspace/invites", { json: { email: `guest-of-${name}@example.com`, role: "member" } })
  const device = await as("/v1/auth/device", { method: "POST" })
  const { client_id: client } = await as("/oauth/register", { json: { client_name: "An agent", redirect_uris: ["http://127.0.0.1:9/cb"] } })
  const { next_cursor: cursor } = await as("/v1/projects?limit=1", {})
  const ids = { "folders": [folder.id, inner.id], "share-links": [link.id], "comments": [comment.id] }
  return {
    person, slugs, ids,
    there: {
      slug: [...slugs, ...slugs, `${name}-free`, "nobody-has-it"],
      folder_id: ids.folders, invite_id: [invite.id], user_id: [person.id], workspace: [person.workspace], workspace_id: [person.workspace],
      version: [1, 2], from: [1, 2], to: [1, 2], base_version: [1, 2], cursor: [cursor], limit: [1, 20], days: [7, 30], target_type: ["user", "workspace"], target_id: [person.id, person.workspace],
      email: [person.email, `guest-of-${name}@example.com`, `${name}-2@example.com`], password: [NEWCOMER_PASSWORD], current_password: [NEWCOMER_PASSWORD], new_password: [`${NEWCOMER_PASSWORD} 2`],
      client_id: [client], redirect_uri: ["http://127.0.0.1:9/cb"], user_code: [device.user_code], device_code: [device.device_code], token: [link.token], body: ["A word", "Two words"], title: ["A title"], name: ["A name"], label: ["A label"],
      visibility: ["public", "password", "private"], comment_access: ["allowlist", "anyone", "members"], html_display_mode: ["auto", "framed", "raw"], include: ["excerpt"], status: ["open", "resolved"],
      sharing: ["private", "team"], role: ["member", "admin"], plan: ["studio", "agency"], format: ["json", "csv"], expires_in_days: [1, 30], expires_at: ["2099-01-01T00:00:00Z"],
      emails: [["somebody@example.com"]], comments_enabled: [true, false], indexable: [true, false], comment_allowlist_inherit: [true, false], folder: ids.folders, project: slugs, share_link_id: ids["share-links"], comment_id: ids.comments,
      path: ["index.html", "notes.md"], query: ["notes"], content: ["# Hello"], delete: ["index.html"]
    }
  }
}
