/** The video viewer: the browser's own player, with addresses for moments, and keys for speeds and single frames. */
import "./video.css"
import { clip } from "../clipboard.ts"
import { instead } from "../instead.ts"
import { listeners } from "../listeners.ts"
import { lookFor } from "../ranges.ts"
import type { Anchor, OpenKind, Place } from "../stage.ts"
import { reading, tool } from "../tools.ts"

const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const
/** No browser tells a video's frame rate; most videos have no more frames than this. */
const FRAME = 1 / 30
const SKIP = 5

/** `#t=65`, as media fragments write it. */
const linked = (): number | undefined => {
  const seconds = Number(/^#t=(\d{1,6}(?:\.\d{1,3})?)$/.exec(location.hash)?.[1] ?? Number.NaN)
  return Number.isNaN(seconds) ? undefined : seconds
}

export const open: OpenKind = ({ facts, keys, newer, notice, say, tell, tools }) => {
  const video = document.getElementById("video") as HTMLVideoElement
  const captured = listeners<[Anchor | undefined, DOMRect | undefined]>()
  const moved = listeners<[]>()
  const rate = reading()
  /** The player, or what stands in its place where it shows nothing. */
  let shown: HTMLElement = video

  const goTo = (seconds: number): void => {
    if (video.readyState > 0) video.currentTime = Math.max(0, Math.min(seconds, video.duration || seconds))
    else video.addEventListener("loadedmetadata", () => goTo(seconds), { once: true })
  }
  const followLink = (): void => {
    const seconds = linked()
    if (seconds !== undefined) goTo(seconds)
  }
  /** Resolves once the length is known, or it is clear that it cannot be. */
  const known = new Promise<void>((resolve) => {
    if (video.readyState > 0 || video.error !== null) resolve()
    else for (const event of ["loadedmetadata", "error"]) video.addEventListener(event, () => resolve(), { once: true })
  })
  /** A picture in a format that the browser does not know is no error to it, nor is a film without any. */
  void known.then(() => {
    if (video.readyState > 0 && video.videoWidth === 0) notice("This browser plays only the sound of this video. If it has a picture, download it to see that.")
  })
  const step = (frames: number): void => {
    video.pause()
    goTo(video.currentTime + frames * FRAME)
  }
  const speed = (by: number): void => {
    if (shown !== video) return
    const at = SPEEDS.findIndex((one) => one >= video.playbackRate)
    video.playbackRate = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]!
    say(`Speed ${video.playbackRate}`)
  }
  const play = (): void => void (video.paused ? video.play().catch(() => {}) : video.pause())
  const copyLink = (): void => {
    history.replaceState(history.state, "", `#t=${Math.round(video.currentTime * 10) / 10}`)
    void clip(tell, location.href, "Copied the address of this moment")
  }

  const show = (): void => void (rate.textContent = `${video.playbackRate}×`)
  video.addEventListener("ratechange", show)
  show()
  video.addEventListener("loadedmetadata", () => moved.tell())
  new ResizeObserver(() => moved.tell()).observe(video)
  const capture = (): Anchor | undefined => shown === video ? { path: "/", time: Math.round(video.currentTime * 1000) / 1000 } : undefined
  for (const event of ["pause", "seeked"]) video.addEventListener(event, () => captured.tell(capture(), video.getBoundingClientRect()))
  const refused = async (): Promise<void> => {
    const found = await lookFor(facts.pinned)
    const lost = found !== "there" || video.error?.code === MediaError.MEDIA_ERR_NETWORK
    // What arrived before the rest was lost can still be watched.
    if (!lost || video.readyState === 0) {
      tools.replaceChildren()
      shown = instead("video", facts.src)
      video.parentElement!.replaceWith(shown)
      moved.tell()
    }
    if (found === "newer") return newer()
    notice(lost ? "The video did not arrive. Reload the page to try again." : "This browser cannot play the video. Download it instead.")
  }
  if (video.error === null) video.addEventListener("error", () => void refused())
  else void refused()

  tools.append(
    tool({ icon: "minus", label: "Slower", key: "<", run: () => speed(-1) }),
    rate,
    tool({ icon: "plus", label: "Faster", key: ">", run: () => speed(1) }),
    Object.assign(document.createElement("span"), { className: "apart" }),
    tool({ icon: "copy", label: "Copy the address of this moment", run: copyLink })
  )
  keys(
    { keys: [" ", "k"], label: "Play or pause", run: play },
    { keys: ["ArrowLeft"], label: `Back ${SKIP} seconds`, run: () => goTo(video.currentTime - SKIP) },
    { keys: ["ArrowRight"], label: `Forward ${SKIP} seconds`, run: () => goTo(video.currentTime + SKIP) },
    { keys: [","], label: "One frame back", run: () => step(-1) },
    { keys: ["."], label: "One frame forward", run: () => step(1) },
    { keys: ["<"], label: "Slower", run: () => speed(-1) },
    { keys: [">"], label: "Faster", run: () => speed(1) }
  )
  addEventListener("hashchange", followLink)
  followLink()

  return {
    capture,
    hint: "Pause at a moment to comment on it, or write below.",
    onCapture: captured.add,
    onLayout: moved.add,
    find: async ({ time }): Promise<Place | undefined> => {
      if (time === undefined) return undefined
      await known
      // The video ends before that time.
      return video.duration < time ? undefined : {
        top: () => shown.getBoundingClientRect().top,
        focus: () => {
          video.pause()
          goTo(time)
        },
        clear: () => {}
      }
    }
  }
}
