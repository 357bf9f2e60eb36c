/** Every rendered kind and how it is shown. */
import type { Kind } from "../../../domain/projects/model.ts"
import { dataBody } from "./data.ts"
import { imageBody } from "./image.ts"
import type { KindViewer } from "./kind-viewer.ts"
import { linkBody } from "./link.ts"
import { markdownBody } from "./markdown.ts"
import { textBody } from "./text.ts"
import { videoBody } from "./video.ts"

export const viewerKinds: Readonly<Record<Exclude<Kind, "site">, KindViewer>> = {
  markdown: { module: "viewer/kinds/markdown.ts", body: markdownBody },
  text: { module: "viewer/kinds/text.ts", body: textBody },
  pdf: { module: "viewer/kinds/pdf.ts", body: linkBody("Open the PDF") },
  image: { module: "viewer/kinds/image.ts", body: imageBody },
  video: { module: "viewer/kinds/video.ts", body: videoBody },
  data: { module: "viewer/kinds/data.ts", body: dataBody }
}
