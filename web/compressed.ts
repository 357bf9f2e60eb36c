/** Each file of a build compressed once, here, so that no server does it again for every reader. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, gzip as gzipCompress } from "node:zlib"
import type { Plugin } from "vite"

const [brotli, gzip] = [promisify(brotliCompress), promisify(gzipCompress)]

/** Smaller files fit one packet either way. */
const SMALLEST = 860

export const compressed: Plugin = {
  name: "compressed",
  writeBundle: async ({ dir = import.meta.dirname }) => {
    const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((file) => /\.(?:js|css|svg|wasm|ttf)$/.test(file))
    await Promise.all(names.map(async (name) => {
      const bytes = readFileSync(join(dir, name))
      if (bytes.length < SMALLEST) return
      const [br, gz] = await Promise.all([brotli(bytes), gzip(bytes, { level: 9 })])
      writeFileSync(join(dir, `${name}.br`), br)
      writeFileSync(join(dir, `${name}.gz`), gz)
    }))
  }
}
