/** What the terminal shows once the service answers: its address, and what to do first; once a worker works; once the demo account is made. */

export interface Demo {
  readonly email: string
  readonly password: string
  readonly token: string
  /** Null where storage did not take it. */
  readonly sampleUrl: string | null
}

export interface SummaryFacts {
  readonly baseUrl: string
  /** The developer mailbox's address, if there is one. */
  readonly mailbox: string | null
  readonly docs: string
  readonly demo: Demo | null
  readonly startedMs: number
  readonly colour: boolean
}

type Paint = (text: string) => string

const paint = (colour: boolean, code: string): Paint => (text) => colour ? `\x1b[${code}m${text}\x1b[0m` : text

const took = (ms: number): string => ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

/** A worker's: it listens on nothing, so there is nothing to open. */
export const workerSummary = ({ colour, startedMs }: Pick<SummaryFacts, "colour" | "startedMs">): string =>
  `\n  ${paint(colour, "38;5;173")("●")} ${paint(colour, "1")("svc")} ${paint(colour, "2")(`works, after ${took(startedMs)}: mails, exports and sweeps; it listens on no port`)}\n\n`

const rowIn = (colour: boolean) => (name: string, value: string): string => `  ${paint(colour, "2")(name.padEnd(10))}${value}`

const demoRows = (colour: boolean, { email, password, sampleUrl, token }: Demo): ReadonlyArray<string> => {
  const row = rowIn(colour)
  return [
    ...(sampleUrl === null ? [] : [row("Sample", paint(colour, "1")(sampleUrl))]),
    row("Demo", `${email} ${paint(colour, "2")("with password")} ${password}`),
    row("Token", token)
  ]
}

/** Shown this once. */
export const demoSummary = ({ colour, demo }: Pick<SummaryFacts, "colour"> & { readonly demo: Demo }): string => ["", ...demoRows(colour, demo), "", ""].join("\n")

export const summary = ({ baseUrl, colour, demo, docs, mailbox, startedMs }: SummaryFacts): string => {
  const strong = paint(colour, "1")
  const quiet = paint(colour, "2")
  const live = paint(colour, "38;5;173")
  const row = rowIn(colour)
  const signUp = `curl ${baseUrl}/v1/auth/signup --json '{"email":"you@example.com","password":"a long phrase"}'`
  const publish = (token: string): string =>
    `echo '<h1>Hello</h1>' | curl -sT - ${baseUrl}/v1/projects/hello -H 'Authorization: Bearer ${token}' -H 'Content-Type: text/html'`
  return [
    "",
    `  ${live("●")} ${strong("svc")} ${quiet(`is up, after ${took(startedMs)}`)}`,
    "",
    row("Open", strong(baseUrl)),
    ...(mailbox === null ? [] : [row("Mailbox", mailbox)]),
    row("Docs", docs),
    ...(demo === null ? [row("Sign up", signUp)] : [
      "",
      ...demoRows(colour, demo),
      "",
      `  ${quiet("Publish a file")}`,
      `  ${publish(demo.token)}`,
      "",
      `  ${quiet("Or sign up yourself")}`,
      `  ${signUp}`
    ]),
    "",
    ""
  ].join("\n")
}
