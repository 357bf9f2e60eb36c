/** Only reviewed packages are installed: one version each, its hash in the lock file; the program runs on its declared dependencies. */
import { globSync, readFileSync } from "node:fs"
import { assert, it } from "vitest"

const read = (file: string) => JSON.parse(readFileSync(file, "utf8"))
const { dependencies, devDependencies, name, optionalDependencies, scarfSettings } = read("package.json") as Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>> & {
  readonly name: string
  readonly scarfSettings: { readonly enabled: boolean }
}
const { packages } = read("package-lock.json") as { readonly packages: Record<string, { readonly integrity?: string; readonly resolved?: string }> }

it("every dependency is pinned to one version, by hash, from the public registry, and none reports its installation", () => {
  const wanted = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
  assert.deepStrictEqual(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)), [])
  const locked = Object.entries(packages).filter(([path]) => path !== "")
  assert.deepStrictEqual(locked.filter(([, { integrity, resolved }]) => integrity?.startsWith("sha512-") !== true || resolved?.startsWith("https://registry.npmjs.org/") === false).map(([path]) => path), [])
  assert.isFalse(scarfSettings.enabled)
})

it("every npm that comes with an old Node can read the lock file: 9.2 supports no override by another package's name", () => {
  assert.notInclude(JSON.stringify(read("package.json").overrides ?? {}), "npm:")
})

it("README says what each of them is for; types go with their package", () => {
  const [, part = ""] = readFileSync("README.md", "utf8").split("## How it is built")
  const said = [...part.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
  const isSaid = (one: string) => said.some((word) => word === one || (word.endsWith("*") && one.startsWith(word.slice(0, -1))))
  assert.deepStrictEqual(Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter((one) => !one.startsWith("@types/") && !isSaid(one)), [])
})

it("the program imports nothing that is installed for its tests alone", () => {
  const imported = globSync("src/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type )[^"]*from "([^"./][^"]*)"|import\("([^"./][^"]*)"\)/gm)].map(([, plain, late]) => plain ?? late ?? ""))
  const packagesOf = new Set(imported.filter((one) => !one.startsWith("node:")).map((one) => one.split("/").slice(0, one.startsWith("@") ? 2 : 1).join("/")))
  assert.deepStrictEqual([...packagesOf].filter((one) => one !== name && !(one in dependencies)), [])
})
