/** Which command shows what became of a change whose answer was lost. */

const SHOWN: ReadonlyArray<readonly [path: RegExp, command: string]> = [
  [/^\/v1\/projects\/([^/]+)\/share-links$/, "svc share list $1"],
  [/^\/v1\/projects\/([^/]+)\/versions\/.*/, "svc versions $1"],
  [/^\/v1\/projects\/.*/, "svc list"],
  [/^\/v1\/share-links\/.*/, "svc share list <slug>"],
  [/^\/v1\/comments\/.*/, "svc comments list <slug> --status all"],
  [/^\/v1\/folders.*/, "svc folders list"],
  [/^\/v1\/workspace\/invites.*/, "svc invites list"],
  [/^\/v1\/workspace\/members\/.*/, "svc members list"],
  [/^\/v1\/tokens\/.*/, "svc tokens list"],
  [/^\/v1\/workspace\/export$/, "svc export status"]
]

/** Undefined where nothing would be left of it. The service's own address may have a path too. */
export const whereShown = (method: string, address: string): string | undefined => {
  if (method === "GET") return undefined
  const path = address.slice(address.indexOf("/v1/"))
  const found = SHOWN.find(([there]) => there.test(path))
  return found === undefined ? undefined : path.replace(...found)
}
