/** Small drawings for pages that have no document to show: always the sheet and the desk, in different states. */
import { html, trusted } from "./html.ts"
import type { Html } from "./html.ts"

export type Drawing = "gone" | "blank" | "lapsed" | "put-away" | "doorcode" | "members" | "missing-page" | "resting" | "torn" | "letter" | "sealed"

const desk = `<path d="M6 78h108"/>`
const corner = `<path d="M66 10v14h14"/>`
const sheet = `<path class="paper" d="M38 78V14a4 4 0 0 1 4-4h24l14 14v54z"/>${corner}`

const scenes: Record<Drawing, string> = {
  gone: `${desk}<path class="faint" stroke-dasharray="3 5" d="M38 76V14a4 4 0 0 1 4-4h24l14 14v52"/><path class="faint" stroke-dasharray="3 5" d="M66 10v14h14"/>`,
  blank: `${desk}${sheet}`,
  lapsed: `${desk}${sheet}<circle class="paper" cx="80" cy="60" r="15"/><path class="accent-stroke" d="M80 51v9l6 4"/>`,
  "put-away": `<path d="M6 52h108"/><path d="M14 52v26h92V52"/><path class="faint" stroke-dasharray="3 5" d="M38 50V14a4 4 0 0 1 4-4h24l14 14v26"/><path class="accent-stroke" d="M52 64h16"/>`,
  doorcode: `${desk}${sheet}<path class="accent-stroke accent-fill" d="M56.4 49.2a6 6 0 1 1 5.2 0l2.4 11.8h-10z"/>`,
  members: `${desk}${sheet}<circle cx="52" cy="44" r="5"/><path d="M43 62a9 9 0 0 1 18 0"/><path class="accent-stroke" d="M64 41a5 5 0 0 1 0 8M68 62a9 9 0 0 0-4-8"/>`,
  "missing-page": `${desk}${sheet}<path class="faint" d="M48 36h22M48 46h22"/><path class="accent-stroke" stroke-dasharray="3 5" d="M48 56h13"/>`,
  resting: `${desk}${sheet}<path class="accent-stroke" d="M54 42v14M64 42v14"/>`,
  torn: `${desk}<path class="paper" d="M38 78V14a4 4 0 0 1 4-4h24l14 14v14l-8 6-7-5-9 7-8-6-10 7z"/>${corner}<path class="paper" d="M38 78V62l10-7 8 6 9-7 7 5 8-6v25z"/>`,
  letter: `${desk}<path class="paper" d="M28 34h64v44H28z"/><path d="M28 36l32 23 32-23"/><path class="accent-stroke" d="M48 18h24M54 10h12"/>`,
  sealed: `${desk}${sheet}<path class="accent-stroke" d="M50 50l7 7 13-15"/>`
}

export const drawing = (name: Drawing): Html =>
  html`<svg class="drawing" width="120" height="84" viewBox="0 0 120 84" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${
    trusted(scenes[name])
  }</svg>`
