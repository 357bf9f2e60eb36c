/** Pictures made small, and those that browsers do not show made ones that they do, by ImageMagick as WebAssembly. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ImageMagick, initializeImageMagick, MagickFormat, MagickGeometry, MagickReadSettings, ResourceLimits } from "@imagemagick/magick-wasm"
import type { IMagickImage } from "@imagemagick/magick-wasm"
import type { Drawing } from "../../domain/ports/thumbnailer.ts"
import { isForeign } from "../../domain/thumbnails/rules.ts"

/** The longer side, in pixels: twice as wide as a sheet is shown at most. */
export const LONGEST = 640

/** That of a picture in full: as wide as telephones take photographs. */
const WHOLE = 4096

const QUALITY = 80

/** Larger pictures are refused before they take memory: 64 megapixels, however few bytes they come in. */
const PIXELS = 64n * 1024n * 1024n
const SIDE = 32_000n

await initializeImageMagick(readFileSync(fileURLToPath(import.meta.resolve("@imagemagick/magick-wasm/magick.wasm"))))
ResourceLimits.area = PIXELS
ResourceLimits.width = SIDE
ResourceLimits.height = SIDE
// Nothing overflows to a file.
ResourceLimits.disk = 0n

/** Each by its own decoder: asked to find out, the library would also read its scripts and drawings. */
const FORMATS: Readonly<Record<string, MagickFormat>> = {
  "image/avif": MagickFormat.Avif,
  "image/bmp": MagickFormat.Bmp,
  "image/gif": MagickFormat.Gif,
  "image/heic": MagickFormat.Heic,
  "image/heif": MagickFormat.Heif,
  "image/jpeg": MagickFormat.Jpeg,
  "image/png": MagickFormat.Png,
  "image/tiff": MagickFormat.Tiff,
  "image/webp": MagickFormat.WebP
}

/** Everything that a file says beside its pixels and what their colours mean: where a photograph was taken, the name of its camera. */
const SAID = ["exif", "xmp", "iptc", "8bim", "app12"]

const webp = (image: IMagickImage): Uint8Array => {
  image.quality = QUALITY
  return image.write(MagickFormat.WebP, (bytes) => new Uint8Array(bytes))
}

const within = (image: IMagickImage, longest: number): void => {
  if (Math.max(image.width, image.height) > longest) image.thumbnail(new MagickGeometry(longest, longest))
}

const whole = (image: IMagickImage): Uint8Array => {
  image.autoOrient()
  for (const name of SAID) image.removeProfile(name)
  within(image, WHOLE)
  return webp(image)
}

/** Nothing of the file but its pixels is left. */
const small = (image: IMagickImage, whole: Uint8Array | null): Drawing => {
  image.autoOrient()
  image.strip()
  const { height, width } = image
  return { image: webp(image), width, height, whole }
}

export const drawImage = (type: string, bytes: Uint8Array): Drawing => {
  const settings = new MagickReadSettings({ format: FORMATS[type]!, frameIndex: 0, frameCount: 1 })
  // A JPEG is decoded no larger than it is needed, which takes a fraction of the time.
  settings.setDefine(MagickFormat.Jpeg, "size", `${LONGEST * 2}x${LONGEST * 2}`)
  return ImageMagick.read(bytes, settings, (image) => {
    const full = isForeign({ type }) ? whole(image) : null
    within(image, LONGEST)
    return small(image, full)
  })
}

/** Of pixels, four bytes each: red, green, blue and how opaque it is. */
export const drawPixels = (data: Uint8Array, width: number, height: number): Drawing =>
  ImageMagick.read(data, new MagickReadSettings({ format: MagickFormat.Rgba, width, height }), (image) => small(image, null))
