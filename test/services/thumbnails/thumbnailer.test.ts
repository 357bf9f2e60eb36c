/** Thumbnails: how large and of what colour documents come out, what is left of their files, and what hostile ones cost. */
import { assert, describe, it, layer } from "@effect/vitest"
import { ImageMagick, MagickFormat } from "@imagemagick/magick-wasm"
import { Effect } from "effect"
import { deflateSync } from "node:zlib"
import { Thumbnailer } from "../../../src/domain/ports/thumbnailer.ts"
import type { Drawing } from "../../../src/domain/ports/thumbnailer.ts"
import { drawImage } from "../../../src/services/thumbnails/images.ts"
import { ThumbnailerWasm } from "../../../src/services/thumbnails/thumbnailer.ts"
import { HEIC } from "../../support/heics.ts"
import { pdfOf } from "../../support/pdfs.ts"
import { pngOf } from "../../support/pngs.ts"

const RED = [220, 20, 20] as const
const BLUE = [20, 20, 220] as const

/** The colour at a place of a WebP. */
const colourAt = ({ image }: Drawing, x: number, y: number) =>
  ImageMagick.read(image, MagickFormat.WebP, (picture) => picture.getPixels((pixels) => [...pixels.getPixel(x, y).slice(0, 3)]))

const isNear = (colour: ReadonlyArray<number>, wanted: ReadonlyArray<number>) => colour.every((part, at) => Math.abs(part - wanted[at]!) < 30)

const encoded = (format: MagickFormat): Uint8Array =>
  ImageMagick.read(pngOf(800, 400, RED, BLUE), MagickFormat.Png, (picture) => picture.write(format, (bytes) => new Uint8Array(bytes)))

describe("a picture", () => {
  it("comes out no longer than 640 pixels, in its own colours, and a small one as it is", () => {
    const drawn = drawImage("image/png", pngOf(1600, 800, RED, BLUE))
    assert.deepStrictEqual([drawn.width, drawn.height], [640, 320])
    assert.strictEqual(Buffer.from(drawn.image).toString("latin1", 8, 12), "WEBP")
    assert.isTrue(isNear(colourAt(drawn, 100, 100), RED) && isNear(colourAt(drawn, 540, 100), BLUE))
    const { height, width } = drawImage("image/png", pngOf(20, 10, RED, BLUE))
    assert.deepStrictEqual([width, height], [20, 10])
  })

  for (const [type, format] of [["image/jpeg", MagickFormat.Jpeg], ["image/gif", MagickFormat.Gif], ["image/webp", MagickFormat.WebP], ["image/bmp", MagickFormat.Bmp], ["image/tiff", MagickFormat.Tiff]] as const) {
    it(`may be ${type}`, () => {
      const drawn = drawImage(type, encoded(format))
      assert.deepStrictEqual([drawn.width, drawn.height], [640, 320])
      assert.isTrue(isNear(colourAt(drawn, 100, 100), RED) && isNear(colourAt(drawn, 540, 100), BLUE))
    })
  }

  it("may be a photograph of a telephone", () => {
    for (const type of ["image/heic", "image/heif"]) {
      const drawn = drawImage(type, HEIC)
      assert.deepStrictEqual([drawn.width, drawn.height], [64, 32])
      for (const image of [drawn.image, drawn.whole!]) assert.isTrue(isNear(colourAt({ ...drawn, image }, 10, 10), RED) && isNear(colourAt({ ...drawn, image }, 54, 10), BLUE))
    }
  })

  it("is drawn in full too where browsers do not show it: no longer than 4096 pixels, with what its colours mean and nothing else", () => {
    for (const type of ["image/png", "image/jpeg"] as const) assert.isNull(drawImage(type, encoded(type === "image/png" ? MagickFormat.Png : MagickFormat.Jpeg)).whole)
    const { whole } = drawImage("image/tiff", encoded(MagickFormat.Tiff))
    const drawn = { image: whole!, width: 800, height: 400, whole: null }
    ImageMagick.read(whole!, MagickFormat.WebP, (picture) => assert.deepStrictEqual([picture.width, picture.height], [800, 400]))
    assert.isTrue(isNear(colourAt(drawn, 100, 100), RED) && isNear(colourAt(drawn, 700, 100), BLUE))
    // The head of a colour profile, and what a camera's program noted.
    const profile = Buffer.alloc(132)
    profile.writeUInt32BE(profile.length)
    profile.write("mntrRGB XYZ ", 12)
    profile.write("acsp", 36)
    const said = ImageMagick.read(pngOf(80, 40, RED, BLUE), MagickFormat.Png, (picture) => {
      picture.setProfile("icc", profile)
      picture.setProfile("xmp", Buffer.from("<x:xmpmeta xmlns:x='adobe:ns:meta/'>taken at 52N</x:xmpmeta>"))
      return picture.write(MagickFormat.Tiff, (bytes) => new Uint8Array(bytes))
    })
    const both = drawImage("image/tiff", said)
    const says = (bytes: Uint8Array) => ["acsp", "52N"].filter((words) => Buffer.from(bytes).includes(words))
    assert.deepStrictEqual([says(said), says(both.whole!), says(both.image)], [["acsp", "52N"], ["acsp"], []])
    const wide = ImageMagick.read(pngOf(5_000, 10, RED, BLUE), MagickFormat.Png, (picture) => picture.write(MagickFormat.Tiff, (bytes) => new Uint8Array(bytes)))
    ImageMagick.read(drawImage("image/tiff", wide).whole!, MagickFormat.WebP, (picture) => assert.deepStrictEqual([picture.width, picture.height], [4096, 8]))
  })

  it("stands upright as its camera was held, and keeps nothing of where that was", () => {
    // EXIF, little-endian: the orientation 6 (a quarter turn), and a description.
    const entries = ["0e0102001000000026000000", "120103000100000006000000"]
    const exif = Buffer.from(["457869660000", "49492a0008000000", "0200", ...entries, "00000000", Buffer.from("taken at 52N 13E").toString("hex")].join(""), "hex")
    const jpeg = encoded(MagickFormat.Jpeg)
    const head = Buffer.from([0xff, 0xe1, 0, 0])
    head.writeUInt16BE(exif.length + 2, 2)
    const photograph = Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
    const drawn = drawImage("image/jpeg", photograph)
    assert.deepStrictEqual([drawn.width, drawn.height], [320, 640])
    assert.isTrue(isNear(colourAt(drawn, 100, 100), RED) && isNear(colourAt(drawn, 100, 540), BLUE))
    assert.notInclude(Buffer.from(drawn.image).toString("latin1"), "52N")
  })

  it("is of the type that it was published as, or is not drawn: no script, no drawing, no other file is read in its place", () => {
    const others = ["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "push graphic-context\nimage over 0,0 0,0 'text:/etc/passwd'\npop graphic-context", "<?xml version='1.0'?><image><read filename='text:/etc/passwd'/></image>", "%!PS\nshowpage", "text:/etc/passwd"]
    for (const other of others) assert.throws(() => drawImage("image/png", Buffer.from(other)), Error, undefined, other)
  })

  it("is refused by the size that it claims before that is taken", () => {
    const before = process.memoryUsage().rss
    for (const claims of [[30_000, 30_000], [65_000, 10], [8_500, 8_500]] as const) assert.throws(() => drawImage("image/png", pngOf(10, 10, RED, BLUE, claims)))
    assert.isBelow(process.memoryUsage().rss - before, 64 * 1024 ** 2)
  })
})

/** One page, with what is drawn on it, and a picture that may be. */
const pageOf = (drawn: string, picture: Uint8Array = new Uint8Array(), says = "") => {
  const objects: ReadonlyArray<readonly [string, Uint8Array?]> = [
    ["<</Type/Catalog/Pages 2 0 R>>"], ["<</Type/Pages/Kids[3 0 R]/Count 1>>"],
    ["<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</XObject<</I 4 0 R>>>>/Contents 5 0 R>>"],
    [`<</Type/XObject/Subtype/Image${says}/Length ${picture.length}>>`, picture], [`<</Length ${drawn.length}>>`, Buffer.from(drawn)]
  ]
  const parts = objects.flatMap(([words, bytes], at) => [`${at + 1} 0 obj${words}`, ...(bytes === undefined ? [] : ["stream\n", bytes, "\nendstream"]), "\nendobj\n"])
  return Buffer.concat(["%PDF-1.7\n", ...parts, "trailer<</Root 1 0 R/Size 6>>\n%%EOF"].map((part) => Buffer.from(part)))
}

/** All one picture of that many gray pixels a side, each of them zero. */
const pdfWithPicture = (side: number): Buffer =>
  pageOf("q 300 0 0 200 0 0 cm /I Do Q", deflateSync(deflateSync(Buffer.alloc(side * side))), `/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter[/FlateDecode/FlateDecode]`)

const draw = (type: string, bytes: Uint8Array) => Thumbnailer.use((thumbnailer) => thumbnailer.draw({ type, bytes }))

layer(ThumbnailerWasm(), { excludeTestServices: true })("in its thread", (it) => {
  it.effect("the first page of a PDF is drawn as it is printed, on white and in its colours", () =>
    Effect.gen(function*() {
      const drawn = yield* draw("application/pdf", pdfOf([{ lines: ["Quarterly report"] }, { lines: ["second"] }]))
      assert(typeof drawn === "object")
      assert.strictEqual(Math.max(drawn.width, drawn.height), 640)
      assert.isTrue(isNear(colourAt(drawn, 2, 2), [255, 255, 255]))
      const coloured = yield* draw("application/pdf", pageOf("0.86 0.08 0.08 rg 0 0 150 200 re f 0.08 0.08 0.86 rg 150 0 150 200 re f"))
      assert(typeof coloured === "object")
      assert.deepStrictEqual([coloured.width, coloured.height], [640, 427])
      assert.isTrue(isNear(colourAt(coloured, 100, 100), RED) && isNear(colourAt(coloured, 540, 100), BLUE))
      const locked = yield* draw("application/pdf", pdfOf([{ lines: ["Quarterly report"] }], { password: "sesame" }))
      assert.strictEqual(locked, "none")
    }))

  it.effect("what is broken is not drawn, and what comes after it is", () =>
    Effect.gen(function*() {
      const whole = pngOf(40, 40, RED, BLUE)
      for (const [type, bytes] of [["image/png", Buffer.from("no picture")], ["image/jpeg", whole], ["application/pdf", Buffer.from("%PDF-1.7\n%%EOF")], ["application/pdf", Buffer.alloc(0)], ["image/png", Buffer.alloc(0)]] as const) {
        assert.strictEqual(yield* draw(type, bytes), "none", type)
      }
      assert(typeof (yield* draw("image/png", whole)) === "object")
    }))

  it.effect("a PDF of a few KB that holds a picture of 64 million pixels takes half a gigabyte at most", () =>
    Effect.gen(function*() {
      let most = 0
      const before = process.memoryUsage().rss
      const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 10)
      const bomb = pdfWithPicture(8_000)
      assert.isBelow(bomb.length, 4_000)
      yield* draw("application/pdf", bomb).pipe(Effect.ensuring(Effect.sync(() => clearInterval(watch))))
      assert.isBelow(most, 640 * 1024 ** 2)
      assert(typeof (yield* draw("image/png", pngOf(40, 40, RED, BLUE))) === "object")
    }))
})

it.effect("what takes too long is given up, and has no thumbnail", () =>
  Effect.gen(function*() {
    assert.strictEqual(yield* draw("image/png", pngOf(4_000, 4_000, RED, BLUE)), "none")
  }).pipe(Effect.provide(ThumbnailerWasm({ ms: 1 }))))
