/** What the machine has, or the container that the service is alone in. */
import { totalmem } from "node:os"
import { constrainedMemory } from "node:process"

/** In bytes. */
export const memoryOfMachine = (): number => Math.min(totalmem(), constrainedMemory() || Infinity)
