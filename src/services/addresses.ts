/** The configured addresses, as the ports want them. */
import { Layer } from "effect"
import { Addresses } from "../domain/ports/addresses.ts"
import type { Settings } from "./config.ts"

export const AddressesConfigured = ({ appUrl, baseUrl, contentDomain }: Settings) => {
  const { protocol } = new URL(baseUrl)
  return Layer.succeed(Addresses, { baseUrl, appUrl, projectUrl: (slug) => `${protocol}//${slug}.${contentDomain}` })
}
