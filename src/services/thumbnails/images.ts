/** Pictures made small, by ImageMagick as WebAssembly. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { ImageMagick, initializeImageMagick, MagickFormat, MagickGeometry, MagickReadSettings, ResourceLimits } from "@imagemagick/magick-wasm"
import type { IMagickImage } from "@imagemagick/magick-wasm"
import type { Drawing } from "../../domain/ports/thumbnailer.ts"

/** The longer side, in pixels: twice as wide as a sheet is shown at most. */
export const LONGEST = 640

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
  "image/jpeg": MagickFormat.Jpeg,
  "image/png": MagickFormat.Png,
  "image/tiff": MagickFormat.Tiff,
  "image/webp": MagickFormat.WebP
}

/** Nothing of the file but its pixels is left: no place where a photograph was taken, no name of its camera. */
const small = (image: IMagickImage): Drawing => {
  image.autoOrient()
  image.strip()
  image.quality = QUALITY
  const { height, width } = image
  return image.write(MagickFormat.WebP, (bytes) => ({ image: new Uint8Array(bytes), width, height }))
}

export const drawImage = (type: string, bytes: Uint8Array): Drawing => {
  const settings = new MagickReadSettings({ format: FORMATS[type]!, frameIndex: 0, frameCount: 1 })
  // A JPEG is decoded no larger than it is needed, which takes a fraction of the time.
  settings.setDefine(MagickFormat.Jpeg, "size", `${LONGEST * 2}x${LONGEST * 2}`)
  return ImageMagick.read(bytes, settings, (image) => {
    if (Math.max(image.width, image.height) > LONGEST) image.thumbnail(new MagickGeometry(LONGEST, LONGEST))
    return small(image)
  })
}

/** Of pixels, four bytes each: red, green, blue and how opaque it is. */
export const drawPixels = (data: Uint8Array, width: number, height: number): Drawing =>
  ImageMagick.read(data, new MagickReadSettings({ format: MagickFormat.Rgba, width, height }), small)
