/** The command line as a package of its own in dist/cli: plain JavaScript for any Node from 22 on, without dependencies. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const README = `# svc

The command line of svc: publish a file, get a live address.

    npm install --global svc-*.tgz
    svc login https://svc.example.com
    svc publish report.html
    svc --help
`

export const buildCli = async (out = join(root, "dist", "cli")) => {
  const { license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    // In chunks: a command loads only what it needs, which halves its start. Nothing is external: the package has no dependencies.
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: join(root, "src", "cli", "main.ts"),
      target: "node22",
      outDir: out,
      emptyOutDir: false,
      minify: "oxc",
      rolldownOptions: { output: { format: "es", entryFileNames: "svc.js", chunkFileNames: "lib/[name].js", banner: ({ isEntry }) => isEntry ? "#!/usr/bin/env node" : "" } }
    }
  })
  writeFileSync(join(out, "package.json"), `${JSON.stringify({
    name: "svc",
    version,
    description: "The command line of svc: publish a file, get a live address.",
    license,
    type: "module",
    bin: { svc: "svc.js" },
    files: ["svc.js", "lib"],
    engines: { node: ">=22" }
  }, null, 2)}\n`)
  writeFileSync(join(out, "README.md"), README)
  cpSync(join(root, "LICENSE"), join(out, "LICENSE"))
  return out
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildCli()
