/** The one form in which a failure of the API reaches screens. */

export interface Fault {
  readonly field: string
  readonly message: string
}

interface Facts {
  readonly code: string
  readonly message: string
  readonly field: string | null
  readonly details: Readonly<Record<string, unknown>>
}

export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: string
  readonly field: string | null
  readonly details: Readonly<Record<string, unknown>>
  /** 0 where nothing answered. */
  readonly status: number
  readonly requestId: string | null

  constructor({ code, details, field, message }: Facts, status: number, requestId: string | null) {
    super(message)
    this.code = code
    this.field = field
    this.details = details
    this.status = status
    this.requestId = requestId
  }

  /** Nothing answered: this machine is offline, or the service cannot be reached. */
  get offline(): boolean {
    return this.status === 0
  }

  /** Nobody is signed in, or the session has ended. */
  get signedOut(): boolean {
    return this.status === 401 && this.code === "auth_required"
  }

  /** The same request may work in a moment. */
  get passing(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /** An earlier try at the same request is still running on the service. */
  get atWork(): boolean {
    return this.status === 409 && this.field === "Idempotency-Key"
  }

  /** What is wrong with each field; only one where the envelope itself names a field. */
  get faults(): ReadonlyArray<Fault> {
    const errors = this.details["errors"]
    if (Array.isArray(errors)) return errors as ReadonlyArray<Fault>
    return this.field === null ? [] : [{ field: this.field, message: this.message }]
  }
}

export const CHECK_CONNECTION = "Check your connection; nothing was lost."

/** Of this page itself. `status`: what the API would answer, -1 where this is nothing that it could say. */
export const refusedHere = (code: string, message: string, status = -1): Refusal => new Refusal({ code, message, field: null, details: {} }, status, null)

export const offline = (): Refusal => refusedHere("offline", `svc cannot be reached. ${CHECK_CONNECTION}`, 0)

/** A file of the reader's: trying again sends nothing, since the browser reads it only as it was when it was chosen. */
export const changedSince = (): Refusal => refusedHere("file_changed", "It was changed after you chose it. Choose it again.")

/** The API has signed somebody in, and their browser has not kept the cookies that say so. */
export const notKept = (): Refusal =>
  refusedHere(
    "not_kept",
    location.protocol === "http:"
      ? "You were let in, but this browser keeps no sign-in of an http:// address: Safari never does. Use Chrome, Edge or Firefox, or an https:// address."
      : "You were let in, but this browser kept no cookie of it. Allow cookies for this page, then sign in again."
  )

/** The API's own message speaks to programs, which send a token. */
const SIGNED_OUT = "You were signed out meanwhile. Sign in again in another tab, then try this once more."

const unreadable = (status: number): Facts => ({
  code: status >= 500 ? "unavailable" : "unreadable",
  message: "The service gave no readable answer. Try again in a moment.",
  field: null,
  details: {}
})

/** Made from an answer's body; a proxy's own page is not an envelope. */
export const refusalOf = (status: number, text: string, requestId: string | null): Refusal => {
  try {
    const { error } = JSON.parse(text) as { error: Facts }
    const message = error.code === "auth_required" ? SIGNED_OUT : error.message
    return new Refusal({ ...error, message, details: error.details ?? {} }, status, requestId)
  } catch {
    return new Refusal(unreadable(status), status, requestId)
  }
}

/** A success whose body breaks off or is a proxy's own page: it may have taken effect, or not. */
export const unreadableAnswer = (requestId: string | null): Refusal => new Refusal(unreadable(502), 502, requestId)

/** Whatever was thrown, as a refusal: even a bug of ours has words for the reader. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal ? error : refusedHere("internal_error", "Something went wrong on this page. Reload it to go on.")
