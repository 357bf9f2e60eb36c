/** Pictures that most browsers do not show, over the wire: their page shows one that we drew, to those alone who may see the original. */
import { assert, layer } from "@effect/vitest"
import { ImageMagick, MagickFormat } from "@imagemagick/magick-wasm"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import "../../src/services/thumbnails/images.ts"
import { cookiesOf } from "../support/ask.ts"
import { HEIC } from "../support/heics.ts"
import { memberPass } from "../support/member-pass.ts"
import { pngOf } from "../support/pngs.ts"
import { Service, serviceWith } from "../support/service.ts"
import type { Account } from "../support/service.ts"

const RED = [220, 20, 20] as const
const BLUE = [20, 20, 220] as const

const tiff = (width: number, height: number): Buffer =>
  ImageMagick.read(pngOf(width, height, RED, BLUE), MagickFormat.Png, (picture) => picture.write(MagickFormat.Tiff, (bytes) => Buffer.from(bytes)))

const put = Effect.fnUntraced(function*({ bearer }: Account, slug: string, type: string, body: Buffer, query = "") {
  const answer = yield* (yield* Service).ask(`/v1/projects/${slug}${query}`, { method: "PUT", body, headers: { ...bearer, "content-type": type, "x-filename": "scan.tiff" } })
  assert.include([200, 201], answer.status, answer.text)
  return answer
})

const open = (slug: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  Service.use(({ ask }) => ask(path, { host: `${slug}.svc.localhost`, headers }))

/** The address of the picture in the page. */
const pictureIn = (text: string): string => /<img id="image" src="([^"]+)"/.exec(text)![1]!.replaceAll("&amp;", "&")

const sql = (statement: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, unknown>) =>
  Service.use(({ inside }) => inside(Effect.orDie(SqlClient.SqlClient.use(statement))))

layer(serviceWith(), { excludeTestServices: true })("pictures that browsers do not show", (it) => {
  it.effect("are shown as a WebP of the same size, by an address of this version alone, and downloaded as they are", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      const original = tiff(1600, 800)
      yield* put(ada, "scanned", "image/tiff", original)
      const page = yield* open("scanned", "/")
      const src = pictureIn(page.text)
      assert.match(src, /^\/_svc\/raw\/scan\.tiff\?v=[\da-f]{32}&drawn=whole$/)
      // Nobody waited for the drawing that the publish began.
      const shown = yield* open("scanned", src)
      assert.deepStrictEqual([shown.status, shown.headers["content-type"], shown.headers["cache-control"]], [200, "image/webp", "public, no-cache, must-revalidate"])
      ImageMagick.read(shown.bytes, MagickFormat.WebP, (picture) => assert.deepStrictEqual([picture.width, picture.height], [1600, 800]))
      const again = yield* open("scanned", src, { "if-none-match": String(shown.headers["etag"]) })
      assert.deepStrictEqual([again.status, again.bytes.length], [304, 0])
      const part = yield* open("scanned", src, { range: "bytes=8-11" })
      assert.deepStrictEqual([part.status, part.text], [206, "WEBP"])
      const raw = yield* open("scanned", "/_svc/raw/scan.tiff?download")
      assert.isTrue(raw.bytes.equals(original))

      yield* put(ada, "scanned", "image/tiff", tiff(300, 200))
      assert.strictEqual((yield* open("scanned", src)).status, 409)
    }))

  it.effect("are for those alone who may open the page", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const ada = yield* service.account()
      yield* put(ada, "scanned-closed", "image/tiff", tiff(400, 200), "?visibility=private")
      const pass = yield* memberPass(service, ada, "scanned-closed")
      const src = pictureIn((yield* open("scanned-closed", "/", { cookie: pass })).text)
      assert.strictEqual((yield* open("scanned-closed", src)).status, 403)
      const shown = yield* open("scanned-closed", src, { cookie: pass })
      assert.deepStrictEqual([shown.status, shown.headers["cache-control"]], [200, "private, no-cache"])
      const link = (yield* service.ask("/v1/projects/scanned-closed/share-links", { headers: ada.bearer, json: { label: "Acme" } })).json
      const guest = cookiesOf(yield* open("scanned-closed", new URL(link.share_url).pathname + new URL(link.share_url).search))
      assert.strictEqual((yield* open("scanned-closed", src, { cookie: guest })).status, 200)
      yield* service.ask(`/v1/share-links/${link.id}`, { method: "DELETE", headers: ada.bearer })
      assert.strictEqual((yield* open("scanned-closed", src, { cookie: guest })).status, 403)

      // Side by side with an earlier one, for members.
      yield* put(ada, "scanned-closed", "image/tiff", tiff(200, 400))
      const versions = (yield* open("scanned-closed", "/_svc/versions", { cookie: pass })).text
      const both = [...versions.matchAll(/<img src="([^"]+drawn=whole[^"]*)"/g)].map(([, address]) => address!.replaceAll("&amp;", "&"))
      assert.lengthOf(both, 2)
      for (const [index, size] of [[0, [400, 200]], [1, [200, 400]]] as const) {
        const { bytes } = yield* open("scanned-closed", both[index]!, { cookie: pass })
        ImageMagick.read(bytes, MagickFormat.WebP, (picture) => assert.deepStrictEqual([picture.width, picture.height], [...size]))
        assert.strictEqual((yield* open("scanned-closed", both[index]!, { cookie: guest })).status, 403)
      }
    }))

  it.effect("are drawn in full for their reader where an earlier release drew them small alone; what is broken is missing", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      yield* put(ada, "scanned-early", "image/tiff", tiff(400, 200))
      const src = pictureIn((yield* open("scanned-early", "/")).text)
      assert.strictEqual((yield* open("scanned-early", src.replace("whole", "small"))).status, 200)
      yield* sql((sql) => sql`UPDATE thumbnails SET whole = NULL`)
      assert.strictEqual((yield* open("scanned-early", src)).status, 200)

      yield* put(ada, "scanned-broken", "image/tiff", Buffer.concat([Buffer.from("II*\0"), Buffer.alloc(40, 7)]))
      const broken = pictureIn((yield* open("scanned-broken", "/")).text)
      for (const as of ["whole", "small"]) assert.strictEqual((yield* open("scanned-broken", broken.replace("whole", as))).status, 404)
    }))

  it.effect("may be photographs of telephones, known by their bytes too", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      for (const [slug, type] of [["photo-typed", "image/heic"], ["photo-untyped", "application/octet-stream"]] as const) {
        const answer = yield* (yield* Service).ask(`/v1/projects/${slug}`, { method: "PUT", body: HEIC, headers: { ...ada.bearer, "content-type": type, "x-filename": "IMG_0001.HEIC" } })
        assert.deepStrictEqual([answer.status, answer.json.kind], [201, "image"])
        const shown = yield* open(slug, pictureIn((yield* open(slug, "/")).text))
        assert.deepStrictEqual([shown.status, shown.headers["content-type"]], [200, "image/webp"])
        assert.strictEqual((yield* open(slug, "/_svc/raw/IMG_0001.HEIC")).headers["content-type"], "image/heic")
      }
    }))

  it.effect("are the only ones that are drawn in full; what was drawn small is there for previews of links", () =>
    Effect.gen(function*() {
      const ada = yield* (yield* Service).account()
      yield* put(ada, "plain-picture", "image/png", pngOf(1000, 500, RED, BLUE))
      const page = (yield* open("plain-picture", "/")).text
      assert.strictEqual(pictureIn(page), "/_svc/raw/scan.tiff")
      const preview = new URL(/property="og:image" content="([^"]+)"/.exec(page)![1]!.replaceAll("&amp;", "&"))
      const small = yield* open("plain-picture", preview.pathname + preview.search)
      assert.deepStrictEqual([small.status, small.headers["content-type"]], [200, "image/webp"])
      ImageMagick.read(small.bytes, MagickFormat.WebP, (picture) => assert.deepStrictEqual([picture.width, picture.height], [640, 320]))
      assert.strictEqual((yield* open("plain-picture", preview.pathname + preview.search.replace("small", "whole"))).status, 404)
      for (const as of ["", "larger"]) assert.strictEqual((yield* open("plain-picture", `${preview.pathname}?drawn=${as}`)).headers["content-type"], "image/png")
    }))
})
