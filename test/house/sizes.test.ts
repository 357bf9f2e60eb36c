/** The web app shows file sizes as our pages and the terminal do, although it shares no code with them: its numbers are in the reader's format. */
import { assert, it } from "@effect/vitest"
import { sizeText } from "../../src/http/contract/sizes.ts"
import { sizeOf } from "../../web/app/ui/sizes.ts"

const around = (bytes: number) => [-2, -1, 0, 1, 2].map((by) => Math.round(bytes) + by).filter((one) => one >= 0)

/** Where the wording changes: at the units, just below them, and where decimals and halves are rounded. */
const sizes = [0, 1, 2, ...[1, 2, 3, 4, 5].flatMap((power) => [1, 1.05, 1.25, 1.5, 9.95, 10, 12.5, 999.5, 1000, 1023.5].flatMap((times) => around(times * 1024 ** power)))]

it("says one size in the same words everywhere", () => {
  assert.deepStrictEqual(sizes.map((bytes) => [bytes, sizeOf(bytes)]), sizes.map((bytes) => [bytes, sizeText(bytes)]))
})

it("says sizes in powers of 1024, with a decimal while it tells something", () => {
  const said = [0, 1, 1023, 1024, 1536, 10_188, 10_189, 1024 ** 2 - 1, 1024 ** 2, 500 * 1024 ** 2, 100 * 1024 ** 3, 3 * 1024 ** 5].map(sizeText)
  assert.deepStrictEqual(said, ["0 bytes", "1 byte", "1023 bytes", "1 KB", "1.5 KB", "9.9 KB", "10 KB", "1 MB", "1 MB", "500 MB", "100 GB", "3072 TB"])
})
