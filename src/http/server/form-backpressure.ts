/**
 * The parser of forms makes its source wait while one file is longer than its buffer, and never for the number of files: of many
 * small ones it would read all that arrives into memory, however slowly they are taken.
 */
import { MultipartStream } from "@effect/platform-node/NodeMultipartParser"
import type { Part } from "@effect/platform-node/NodeMultipartParser"

type Written = (error?: Error | null) => void

const { _write, push } = MultipartStream.prototype
const waiting = new WeakMap<MultipartStream, Written>()
/** Those that were asked for a part since they had one: until then they are not asked again. */
const asked = new WeakSet<MultipartStream>()

MultipartStream.prototype._write = function(chunk: Uint8Array, encoding: BufferEncoding, written: Written) {
  _write.call(this, chunk, encoding, (error) => {
    if (error || asked.has(this) || this.readableLength < this.readableHighWaterMark) written(error)
    else waiting.set(this, written)
  })
}

MultipartStream.prototype.push = function(part: Part | null) {
  asked.delete(this)
  return push.call(this, part)
}

/** Called once fewer parts wait than the stream is to hold, the one that is about to be taken not counted. */
MultipartStream.prototype._read = function() {
  asked.add(this)
  const written = waiting.get(this)
  waiting.delete(this)
  written?.()
}
