/** What every store of packs must do, wherever it keeps them. */
import { assert, layer } from "@effect/vitest"
import { createHash, randomBytes, randomUUID } from "node:crypto"
import { Effect, Exit, Option, Stream } from "effect"
import type { Layer } from "effect"
import { Packs } from "../../../src/domain/ports/packs.ts"
import type { LivingRange as Living, PackDraft } from "../../../src/domain/ports/packs.ts"
import { rawZip, zipOf } from "../../support/zips.ts"

const MB = 1024 * 1024
let ids = 0
export const freshId = (): string => `018f2f3e-0000-7000-8000-${(++ids).toString(16).padStart(12, "0")}`

export const chunksOf = async function*(bytes: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const collect = (stream: Stream.Stream<Uint8Array, unknown>) => Effect.map(Stream.runCollect(stream), (all) => Buffer.concat([...all]))
const add = (draft: PackDraft, bytes: Uint8Array) => draft.append(chunksOf(bytes), 1024 * MB)

export const packsContract = (name: string, packs: Layer.Layer<Packs>) =>
  layer(packs)(name, (it) => {
    for (const size of [1, 10_240, 256 * 1024, 256 * 1024 + 1, 3 * MB + 7, 20 * MB]) {
      it.effect(`gives back ${size} bytes, their hash and their head`, () =>
        Effect.gen(function*() {
          const { draft, read, slice } = yield* Packs
          const [bytes, id] = [randomBytes(size), freshId()]
          const scratch = yield* draft
          const body = yield* add(scratch, bytes)
          assert.deepStrictEqual([body.offset, body.length, body.hash], [0, size, sha(bytes)])
          assert.isTrue(bytes.subarray(0, 4100).equals(body.head))
          assert.deepStrictEqual(yield* scratch.keep(id, [body]), [0])
          assert.isTrue((yield* collect(read(id, 0, size))).equals(bytes))
          const middle = Math.floor(size / 2)
          assert.isTrue(bytes.subarray(middle).equals(yield* slice(id, middle, size - middle)))
        }))
    }

    it.effect("keeps only the bodies asked for, in the order asked for", () =>
      Effect.gen(function*() {
        const { draft, read } = yield* Packs
        const scratch = yield* draft
        const parts = [randomBytes(2 * MB), Buffer.alloc(0), randomBytes(17), randomBytes(300_000)]
        const bodies = []
        for (const part of parts) bodies.push(yield* add(scratch, part))
        const [a, empty, c, d] = bodies as [typeof bodies[0], typeof bodies[0], typeof bodies[0], typeof bodies[0]]
        assert.strictEqual(empty!.hash, sha(Buffer.alloc(0)))
        const id = freshId()
        assert.deepStrictEqual(yield* scratch.keep(id, [d!, empty!, c!, a!]), [0, 300_000, 300_000, 300_017])
        const expected = Buffer.concat([parts[3]!, parts[2]!, parts[0]!])
        assert.isTrue((yield* collect(read(id, 0, expected.length))).equals(expected))
      }))

    it.effect("needs no pack for bodies without bytes", () =>
      Effect.gen(function*() {
        const { draft, list, read, slice } = yield* Packs
        const scratch = yield* draft
        const id = freshId()
        assert.deepStrictEqual(yield* scratch.keep(id, [yield* add(scratch, Buffer.alloc(0))]), [0])
        assert.strictEqual((yield* slice(id, 0, 0)).length, 0)
        assert.strictEqual((yield* collect(read(id, 0, 0))).length, 0)
        assert.isFalse((yield* Stream.runCollect(list)).some((pack) => pack.id === id))
      }))

    it.effect("takes streams, large chunks and single bytes alike", () =>
      Effect.gen(function*() {
        const { draft, read } = yield* Packs
        const bytes = randomBytes(1_100_000)
        for (const size of [1, 31_000, 32_768, 2 * MB]) {
          yield* Effect.scoped(Effect.gen(function*() {
            const part = size === 1 ? bytes.subarray(0, 70_000) : bytes
            const scratch = yield* draft
            const body = yield* scratch.append(Stream.fromAsyncIterable(chunksOf(part, size), () => "broken"), part.length)
            const id = freshId()
            yield* scratch.keep(id, [body])
            assert.isTrue((yield* collect(read(id, 0, part.length))).equals(part))
          }))
        }
      }))

    it.effect("stops at the first byte over the cap", () =>
      Effect.gen(function*() {
        const { draft } = yield* Packs
        for (const cap of [0, 1, 65_536, 300_000, 2 * MB]) {
          const scratch = yield* draft
          assert.strictEqual((yield* scratch.append(chunksOf(randomBytes(cap)), cap)).length, cap)
          let [handed, told] = [0, false]
          const endless = async function*() {
            try {
              for (;;) {
                handed += 4096
                yield Buffer.alloc(4096)
              }
            } finally {
              told = true
            }
          }
          const refused = yield* Effect.flip(scratch.append(endless(), cap))
          assert.strictEqual(refused._tag, "upload_too_large")
          assert.isAtMost(handed, cap + 4096)
          assert.isTrue(told)
          assert.strictEqual((yield* Effect.flip(scratch.append(chunksOf(randomBytes(cap + 1)), cap)))._tag, "upload_too_large")
        }
      }))

    it.effect("passes on how a source breaks: a stream's failure as it is, an iterable's as a defect", () =>
      Effect.gen(function*() {
        const { draft } = yield* Packs
        const scratch = yield* draft
        const broken = new Error("gone")
        const failing = async function*() {
          yield Buffer.alloc(400_000)
          throw broken
        }
        assert.strictEqual(yield* Effect.flip(scratch.append(Stream.fromAsyncIterable(failing(), () => "aborted"), MB)), "aborted")
        assert.deepStrictEqual(yield* Effect.exit(scratch.append(failing(), MB)), Exit.die(broken))
      }))

    it.effect("unpacks a zip into bodies that are kept without the zip", () =>
      Effect.gen(function*() {
        const { draft, slice } = yield* Packs
        const scratch = yield* draft
        const big = randomBytes(2 * MB)
        const files = { "site/index.html": "<h1>hi</h1>", "site/css/a.css": "a{}", "site/big.bin": big, "site/.DS_Store": "x", "__MACOSX/site/._a": "x" }
        const zip = yield* add(scratch, yield* Effect.promise(() => zipOf(files)))
        const unpacked = yield* scratch.unzip(zip, { bytes: 3 * MB, files: 10 })
        assert.deepStrictEqual(unpacked.map((file) => file.path), ["index.html", "css/a.css", "big.bin"])
        const id = freshId()
        const offsets = yield* scratch.keep(id, unpacked)
        assert.strictEqual((yield* slice(id, offsets[0]!, 11)).toString(), "<h1>hi</h1>")
        assert.isTrue(big.equals(yield* slice(id, offsets[2]!, big.length)))
        const again = yield* scratch.unzip(zip, { bytes: 3 * MB, files: 10 })
        assert.deepStrictEqual(again.map((file) => file.hash), unpacked.map((file) => file.hash))
      }))

    it.effect("keeps nothing of a zip that is refused", () =>
      Effect.gen(function*() {
        const { draft, list } = yield* Packs
        const before = (yield* Stream.runCollect(list)).length
        const scratch = yield* draft
        const zip = yield* add(scratch, rawZip([{ name: "index.html", data: "fine" }, { name: "../up", data: "x" }]))
        assert.strictEqual((yield* Effect.flip(scratch.unzip(zip, { bytes: MB, files: 10 })))._tag, "validation_error")
        assert.strictEqual((yield* Stream.runCollect(list)).length, before)
      }))

    it.effect("lists a pack until it is removed, which may happen twice", () =>
      Effect.gen(function*() {
        const { draft, list, remove, slice } = yield* Packs
        const id = freshId()
        const scratch = yield* draft
        yield* scratch.keep(id, [yield* add(scratch, Buffer.from("hello"))])
        const listed = (yield* Stream.runCollect(list)).find((pack) => pack.id === id)
        assert.isBelow(Math.abs(Date.now() - listed!.storedAt.epochMilliseconds), 60_000)
        assert.strictEqual((yield* slice(id, 1, 3)).toString(), "ell")
        yield* remove(id)
        yield* remove(id)
        assert.strictEqual((yield* Effect.flip(slice(id, 1, 3)))._tag, "unavailable")
        assert.isFalse((yield* Stream.runCollect(list)).some((pack) => pack.id === id))
      }))

    it.effect("is thinned of its dead bytes: no other one moves or changes, and who reads goes on", () =>
      Effect.gen(function*() {
        const { draft, read, remove, slice, thin } = yield* Packs
        const id = freshId()
        const parts = [randomBytes(3 * MB), randomBytes(17), randomBytes(6 * MB + 7), randomBytes(9 * MB + 1), randomBytes(300), randomBytes(MB)]
        const scratch = yield* draft
        const bodies = yield* Effect.forEach(parts, (part) => add(scratch, part))
        const offsets = yield* scratch.keep(id, bodies)
        const named = bodies.map(({ hash, length }, at) => ({ offset: offsets[at]!, length, hash }))
        const [a, b, c, d, e, f] = named as [Living, Living, Living, Living, Living, Living]
        const all = Buffer.concat(parts)
        // The last one is neither named nor dead: it stays, whatever it is.
        let seen = Buffer.alloc(0)
        yield* Stream.runForEach(read(id, d.offset, d.length), (chunk) => Effect.gen(function*() {
          if (seen.length === 0) assert.isTrue(yield* thin(id, [a, c], [e, d, b]))
          seen = Buffer.concat([seen, chunk])
        }))
        assert.isTrue(seen.equals(parts[3]!))
        const expected = Buffer.concat([Buffer.alloc(a.length), parts[1]!, Buffer.alloc(c.length), parts[3]!, parts[4]!, parts[5]!])
        assert.isTrue((yield* collect(read(id, 0, all.length))).equals(expected))
        assert.isTrue(parts[1]!.equals(yield* slice(id, b.offset, b.length)))
        assert.strictEqual((yield* Effect.flip(slice(id, all.length - 1, 2)))._tag, "unavailable")

        // Once more, and of what was at its end.
        assert.isTrue(yield* thin(id, [a, c, e, f], [b, d]))
        const rest = Buffer.concat([expected.subarray(0, e.offset), Buffer.alloc(e.length + f.length)])
        assert.isTrue((yield* collect(read(id, 0, all.length))).equals(rest))
        yield* remove(id)
        assert.strictEqual((yield* Effect.flip(thin(id, [a], [])))._tag, "unavailable")
      }))

    it.effect("stays as it is where a living body is not what it should be, or would go", () =>
      Effect.gen(function*() {
        const { draft, read, thin } = yield* Packs
        const [id, parts] = [freshId(), [randomBytes(5 * MB), randomBytes(10 * MB), randomBytes(1000)]]
        const scratch = yield* draft
        const bodies = yield* Effect.forEach(parts, (part) => add(scratch, part))
        const offsets = yield* scratch.keep(id, bodies)
        const [a, b, c] = bodies.map(({ hash, length }, at) => ({ offset: offsets[at]!, length, hash })) as [Living, Living, Living]
        const refused: ReadonlyArray<readonly [ReadonlyArray<Living>, ReadonlyArray<Living>]> = [
          [[a], [b, { ...c, hash: a.hash }]],
          [[a], [{ ...b, hash: a.hash }, c]],
          [[a], [b, { ...c, length: c.length + 1 }]],
          [[a, b], [b, c]],
          [[{ ...a, length: a.length + 1 }], [b, c]],
          [[a], [b, { ...b, length: 5 }, c]]
        ]
        for (const [dead, living] of refused) assert.isFalse(yield* thin(id, dead, living))
        assert.isTrue((yield* collect(read(id, 0, 15 * MB + 1000))).equals(Buffer.concat(parts)))
      }))

    it.effect("fails, and says no names, where bytes are missing", () =>
      Effect.gen(function*() {
        const { draft, read, slice } = yield* Packs
        const id = freshId()
        const missing = yield* Effect.flip(Stream.runDrain(read(id, 0, 5)))
        assert.notInclude(JSON.stringify(missing), id)
        const scratch = yield* draft
        yield* scratch.keep(id, [yield* add(scratch, Buffer.from("hello"))])
        assert.strictEqual((yield* Effect.flip(slice(id, 3, 3)))._tag, "unavailable")
      }))

    it.effect("reads one pack for many at once", () =>
      Effect.gen(function*() {
        const { draft, read, slice } = yield* Packs
        const [id, bytes] = [freshId(), randomBytes(5 * MB)]
        const scratch = yield* draft
        yield* scratch.keep(id, [yield* add(scratch, bytes)])
        const all = yield* Effect.all(
          Array.from({ length: 40 }, (_, n) => n % 2 === 0 ? slice(id, n * 1000, 5000) : collect(Stream.take(read(id, n * 1000, 4 * MB), 1))),
          { concurrency: "unbounded" }
        )
        for (const [n, got] of all.entries()) assert.isTrue(bytes.subarray(n * 1000, n * 1000 + got.length).equals(got))
      }))

    it.effect("is one deployment's: the first that claims it", () =>
      Effect.gen(function*() {
        const { claim, deployment } = yield* Packs
        assert.deepStrictEqual(yield* deployment, Option.none())
        const [one, other] = [randomUUID(), randomUUID()]
        assert.deepStrictEqual(yield* Effect.all(Array.from({ length: 20 }, () => claim(one)), { concurrency: "unbounded" }), Array.from({ length: 20 }, () => one))
        assert.strictEqual(yield* claim(other), one)
        assert.deepStrictEqual(yield* deployment, Option.some(one))
      }))

    it.effect("is ready", () => Effect.flatMap(Packs, (store) => store.ready))
  })
