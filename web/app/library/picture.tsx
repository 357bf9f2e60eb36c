/** A document that svc has drawn: a page as a sheet or a screen, a picture whole and in the middle. */
import { thumbnailUrl } from "../api/projects.ts"
import type { Project } from "../api/projects.ts"
import { hair, paper } from "./sheets.tsx"

type Size = NonNullable<Project["thumbnail"]>

/** In the space of 240 by 132. An upright page goes on below the card's edge, like a sheet. */
const pageAt = ({ height, width }: Size) => {
  const wide = width > height ? 164 : 120
  const high = wide * height / width
  return { x: 120 - wide / 2, y: width > height ? Math.max(14, 66 - high / 2) : 20, width: wide, height: high }
}

/** No larger than it is, so that an icon stays an icon. */
const pictureAt = ({ height, width }: Size) => {
  const scale = Math.min(1, 168 / width, 104 / height)
  return { x: 120 - width * scale / 2, y: 66 - height * scale / 2, width: width * scale, height: height * scale }
}

export const Picture = ({ project, size }: { readonly project: Project; readonly size: Size }) => {
  const place = project.kind === "pdf" ? pageAt(size) : pictureAt(size)
  return (
    <>
      <rect {...place} fill={paper} stroke={hair} vectorEffect="non-scaling-stroke" />
      <foreignObject {...place}>
        <img src={thumbnailUrl(project)} alt="" crossOrigin="use-credentials" loading="lazy" decoding="async" draggable={false} className="block size-full bg-white" />
      </foreignObject>
    </>
  )
}
