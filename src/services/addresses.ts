/** The configured addresses, as the ports want them. */
import { Layer } from "effect"
import { Addresses, projectUrlOn } from "../domain/ports/addresses.ts"
import type { Settings } from "./config.ts"

export const AddressesConfigured = ({ appUrl, baseUrl, contentDomain }: Settings) =>
  Layer.succeed(Addresses, { baseUrl, appUrl, projectUrl: projectUrlOn(baseUrl, contentDomain) })
