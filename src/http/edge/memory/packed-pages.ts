/** A page of ours with its compressed forms, made once and kept. */
import { createHash } from "node:crypto"
import type { Encoding } from "../../contract/negotiation.ts"
import { compress } from "./compression.ts"
import { alone } from "./memory.ts"

/** A page in every form it is sent in. */
export interface Made {
  readonly tag: string
  readonly forms: Readonly<Record<Encoding, Buffer>>
}

export const made = async (text: string, packed: boolean): Promise<Made> => {
  const identity = alone(Buffer.from(text))
  const [br, gzip] = packed ? await Promise.all([compress(identity, "br"), compress(identity, "gzip")]) : []
  return {
    tag: createHash("sha256").update(identity).digest("hex").slice(0, 32),
    forms: { identity, br: br ?? identity, gzip: gzip ?? identity }
  }
}

export const weight = ({ forms }: Made): number => forms.identity.length + forms.br.length + forms.gzip.length
