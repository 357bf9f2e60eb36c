/** A project with the address that it is served at, as every answer about one shows it. */
import type { Addresses } from "../../domain/ports/addresses.ts"
import type { Project } from "../../domain/projects/model.ts"

export const addressed = ({ projectUrl }: typeof Addresses.Service) => <P extends Pick<Project, "slug">>(project: P): P & { readonly url: string } =>
  ({ ...project, url: projectUrl(project.slug) })
