/** Makes a folder and those above it, one by one: Node itself tries for ever where no folder can be made, as in /proc. */
import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const isFolder = (path: string): Promise<boolean> => stat(path).then((found) => found.isDirectory(), () => false)

/** `folder` is an absolute path. */
export const makeFolder = async (folder: string, mode = 0o777): Promise<void> => {
  if (await isFolder(folder)) return
  await makeFolder(dirname(folder), mode)
  // Another process may have made it meanwhile.
  await mkdir(folder, { mode }).catch(async (cause: unknown) => {
    if (!(await isFolder(folder))) throw cause
  })
}
