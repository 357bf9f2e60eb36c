/** What a walk does with folders: it makes, hides, fills and empties them. */
import type { Steps, Walk } from "./walk.ts"
import type { Folder } from "./world.ts"

export const folderSteps = ({ ada, as, bea, cleo, counts, done, either, happens, one, people, some, somePage, somebody, team, world }: Walk): Steps => ({
  folder: [2, async () => {
    const person = one([ada, bea, cleo])
    if (world.folders.length >= 5) return
    const sharing = one<Folder["sharing"]>(["team", "private"])
    const json = { name: `Folder ${counts.steps}`, sharing }
    const answer = await either(() => as(person, `/v1/folders?workspace=${team}`, { json }), [person, "create_folder", { ...json, workspace: team }], () => true)
    if (done(`${person.name} makes a ${sharing} folder`, answer, person.role === null ? 404 : 201)) world.folders = [...world.folders, { id: answer.json.id, creator: person, sharing, emails: [], inherits: true }]
  }],

  hide: [3, async () => {
    const [person, folder] = [one(people), some(world.folders)]
    if (folder === undefined) return
    const sharing = one<Folder["sharing"]>(["team", "private"])
    const may = world.changingFolder(person, folder, 200)
    const others = world.inside(folder).some(({ owner }) => owner !== folder.creator)
    const wanted = may !== 200 || sharing === folder.sharing ? may : person !== folder.creator ? 403 : sharing === "private" && others ? 409 : 200
    if (done(`${person.name} makes ${folder.creator.name}'s folder ${sharing}`, await either(() => as(person, `/v1/folders/${folder.id}`, { method: "PATCH", json: { sharing } }), [person, "update_folder", { folder_id: folder.id, sharing }]), wanted)) folder.sharing = sharing
  }],

  file: [5, async () => {
    const page = somePage()
    const person = somebody(page)
    const folder = happens(0.2) ? undefined : some(world.folders)
    const may = world.changing(person, page, 200)
    const takes = folder === undefined ? 200
      : page.home === "stranger" || !world.seesFolder(person, folder) ? 404
      : folder.sharing === "team" || folder.creator === page.owner ? 200 : 403
    const json = { folder_id: folder?.id ?? null }
    const answer = await either(() => as(person, `/v1/projects/${page.slug}`, { method: "PATCH", json }), [person, "move_project", { slug: page.slug, ...json }])
    if (done(`${person.name} puts ${page.slug} into ${folder === undefined ? "no folder" : `${folder.creator.name}'s ${folder.sharing} one`}`, answer, may === 200 ? takes : may)) page.folder = folder
  }],

  empty: [1, async () => {
    const [person, folder, moves] = [one(people), some(world.folders), happens(0.5)]
    if (folder === undefined) return
    const may = world.changingFolder(person, folder, 200)
    const wanted = may === 200 && world.inside(folder).length > 0 && !moves ? 409 : may
    const emptied = await either(
      () => as(person, `/v1/folders/${folder.id}${moves ? "?move_projects=true" : ""}`, { method: "DELETE" }), [person, "delete_folder", { folder_id: folder.id, move_projects: moves }]
    )
    if (done(`${person.name} deletes ${folder.creator.name}'s folder`, emptied, wanted)) world.removeFolder(folder)
  }]
})
