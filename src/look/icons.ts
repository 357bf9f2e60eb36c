/** The icons of buttons: one line each in a 20 by 20 box, for pages of the server and for scripts alike. */

const paths = {
  download: "M10 3v9.5m-4-4 4 4 4-4M4 16.5h12",
  system: "M3 4.5h14v9H3zM7.5 16.5h5",
  light: "M10 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6M10 2.5V4m0 12v1.5M2.5 10H4m12 0h1.5M4.7 4.7l1 1m8.6 8.6 1 1m0-10.6-1 1m-8.6 8.6-1 1",
  dark: "M16.5 11.7A6.7 6.7 0 0 1 8.3 3.5a6.7 6.7 0 1 0 8.2 8.2z",
  comments: "M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9.5L6 17v-3H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
  versions: "M10 6v4l2.5 2.5M3.6 8.5A6.6 6.6 0 1 1 3.4 11M3 4.5v4h4",
  close: "M5 5l10 10M15 5 5 15",
  find: "M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M13 13l4 4",
  wrap: "M3 5h14M3 10h11.5a2.5 2.5 0 0 1 0 5H10m2-2-2 2 2 2M3 15h3.5",
  line: "M8 4 6 16M14 4l-2 12M4 8h13M3 12h13",
  copy: "M7 7V4a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-3M4 7h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z",
  up: "M5 12.5l5-5 5 5",
  down: "M5 7.5l5 5 5-5",
  minus: "M4 10h12",
  plus: "M4 10h12M10 4v12",
  fit: "M3 7V4a1 1 0 0 1 1-1h3m6 0h3a1 1 0 0 1 1 1v3m0 6v3a1 1 0 0 1-1 1h-3m-6 0H4a1 1 0 0 1-1-1v-3",
  width: "M3.5 4v12M16.5 4v12M6 10h8m-6-2-2 2 2 2m4-4 2 2-2 2",
  rotate: "M16 10a6 6 0 1 1-2-4.5L16 7.3M16 3.5v3.8h-3.8",
  print: "M6 7.5v-4h8v4M6 13.5H4a1 1 0 0 1-1-1v-4a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-2M6 11.5h8v5H6z",
  outline: "M3.5 5h.01M7 5h9.5M5.5 10h.01M9 10h7.5M5.5 15h.01M9 15h7.5",
  filter: "M3 4.5h14l-5.5 6.5v5l-3-1.5V11z",
  table: "M3 4.5h14v11H3zM3 8.5h14M8 8.5v7",
  names: "M3 4.5h14v11H3zM3 9h14M6 6.75h3.5m3 0h1.5",
  link: "M8.5 11.5a3 3 0 0 0 4.2 0l2.8-2.8a3 3 0 1 0-4.2-4.2l-.9.9m1.1 3.1a3 3 0 0 0-4.2 0l-2.8 2.8a3 3 0 1 0 4.2 4.2l.9-.9",
  keys: "M3 5.5h14v9H3zM6 8.5h.01M9 8.5h.01M12 8.5h.01M14.5 8.5h.01M6.5 11.5h7",
  note: "M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14M10 9.5v4M10 6.5h.01",
  tip: "M7.8 14.5h4.4M8.5 17h3M7.8 14.5c0-1.4-.3-1.9-.9-2.5a4.9 4.9 0 1 1 6.2 0c-.6.6-.9 1.1-.9 2.5",
  important: "M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9.5L6 17v-3H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM10 6.5v3M10 11.5h.01",
  warning: "M10 3.5 17.5 16.5h-15zM10 8.5v3.5M10 14h.01",
  caution: "M7.1 3h5.8L17 7.1v5.8L12.9 17H7.1L3 12.9V7.1zM10 6.5v4M10 13.5h.01"
} as const

export type Icon = keyof typeof paths

export const iconPath = (name: Icon): string => paths[name]

/** Markup from this file only. */
export const iconText = (name: Icon): string =>
  `<svg class="icon" width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="${paths[name]}"/></svg>`
