/**
 * The parser of forms makes its source wait while one file is longer than its buffer, and never for the number of files: of many
 * small ones it would read all that arrives into memory, however slowly they are taken.
 */
import { MultipartStream } from "@effect/platform-node/NodeMultipartParser"

type Written = (error?: Error | null) => void

const { _write } = MultipartStream.prototype
const waiting = new WeakMap<MultipartStream, Written>()

MultipartStream.prototype._write = function(chunk: Uint8Array, encoding: BufferEncoding, written: Written) {
  _write.call(this, chunk, encoding, (error) => {
    if (error || this.readableLength < this.readableHighWaterMark) written(error)
    else waiting.set(this, written)
  })
}

/** Called once fewer parts wait than the stream is to hold. */
MultipartStream.prototype._read = function() {
  const written = waiting.get(this)
  waiting.delete(this)
  written?.()
}
