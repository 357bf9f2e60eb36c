/** The icons of the app: one line each, for a 20 by 20 box, in the style of `src/look/icons.ts`. */
const paths = {
  find: "M9 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M13 13l4 4",
  library: "M3.5 4.5h5v5h-5zM11.5 4.5h5v5h-5zM3.5 12.5h5v4h-5zM11.5 12.5h5v4h-5z",
  team: "M7.5 9a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5M2.5 16.5a5 5 0 0 1 10 0M13 9a2.5 2.5 0 1 0-1-4.8M14.5 11.6a5 5 0 0 1 3 4.9",
  account: "M10 10a3.25 3.25 0 1 0 0-6.5A3.25 3.25 0 0 0 10 10M3.5 17a6.5 6.5 0 0 1 13 0",
  connect: "M4 5.5l4 4-4 4M10 14.5h6",
  plus: "M4 10h12M10 4v12",
  close: "M5 5l10 10M15 5 5 15",
  check: "M4 10.5l4 4 8-9",
  mail: "M3 5h14v10.5H3zM3.5 5.5 10 11l6.5-5.5",
  copy: "M7 7V4a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1h-3M4 7h8a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1z",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  down: "M5 7.5l5 5 5-5",
  updown: "M6.5 7.5 10 4l3.5 3.5M6.5 12.5 10 16l3.5-3.5",
  open: "M8 4H4.5a1 1 0 0 0-1 1v10.5a1 1 0 0 0 1 1H15a1 1 0 0 0 1-1V12M11.5 3.5h5v5M16 4l-7 7",
  download: "M10 3v9.5m-4-4 4 4 4-4M4 16.5h12",
  upload: "M10 13.5V4m-4 4 4-4 4 4M4 16.5h12",
  folder: "M3 5.5a1 1 0 0 1 1-1h3.5l2 2H16a1 1 0 0 1 1 1V15a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1z",
  folderUp: "M3 5.5a1 1 0 0 1 1-1h3.5l2 2H16a1 1 0 0 1 1 1V15a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zM10 13.5V9.3m-1.9 1.9L10 9.3l1.9 1.9",
  pen: "M4 16l.8-3.4 8.4-8.4a1.3 1.3 0 0 1 1.9 0l.7.7a1.3 1.3 0 0 1 0 1.9l-8.4 8.4zM11.9 5.5l2.6 2.6",
  renew: "M16 10a6 6 0 1 1-2-4.5L16 7.3M16 3.5v3.8h-3.8",
  compare: "M4 4.5h4.5v11H4zM11.5 4.5H16v11h-4.5zM5.5 8h1.5M13 8h1.5M13 11h1.5",
  muted: "M5 8.5a5 5 0 0 1 8.4-3.6M15 8.5c0 4 1.5 5 1.5 5h-13S5 12.5 5 8.5M8.5 16a1.7 1.7 0 0 0 3 0M3.5 3.5l13 13",
  bell: "M5 8.5a5 5 0 0 1 10 0c0 4 1.5 5 1.5 5h-13S5 12.5 5 8.5M8.5 16a1.7 1.7 0 0 0 3 0",
  talk: "M4 4h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H9.5L6 17v-3H4a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
  reply: "M8 5 3.5 9.5 8 14M4 9.5h7a5.5 5.5 0 0 1 5.5 5.5v1",
  lock: "M5 9.5h10v7H5zM7 9.5V7a3 3 0 0 1 6 0v2.5",
  globe: "M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14M3 10h14M10 3c2 2 3 4.5 3 7s-1 5-3 7c-2-2-3-4.5-3-7s1-5 3-7",
  key: "M12.5 4a3.5 3.5 0 1 1-2.9 5.450L3.5 15.5v1.5h3v-2h2v-2l1.7-1.7",
  history: "M4 10a6 6 0 1 0 2-4.5L4 7.3M4 3.5v3.8h3.8M10 7v3.2l2.2 1.5",
  trash: "M4 6h12M8 6V4h4v2M5.5 6l.7 10.5h7.6L14.5 6",
  warn: "M10 4 2.8 16.5h14.4zM10 8.5v3.5M10 14.3h.01",
  system: "M3 4.5h14v9H3zM7.5 16.5h5",
  light: "M10 7a3 3 0 1 1 0 6 3 3 0 0 1 0-6M10 2.5V4m0 12v1.5M2.5 10H4m12 0h1.5M4.7 4.7l1 1m8.6 8.6 1 1m0-10.6-1 1m-8.6 8.6-1 1",
  dark: "M16.5 11.7A6.7 6.7 0 0 1 8.3 3.5a6.7 6.7 0 1 0 8.2 8.2z",
  leave: "M8 4H4.5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1H8M12.5 6.5 16 10l-3.5 3.5M16 10H7.5",
  back: "M12 5l-5 5 5 5",
  site: "M3 4.5h14v11H3zM3 8h14M5.5 6.250h.01M7.5 6.250h.01",
  pdf: "M5 3h7l3.5 3.5V17H5zM12 3v3.5h3.5M7.5 11h5M7.5 13.5h3",
  markdown: "M2.5 5h15v10h-15zM5 12.5v-5l2.25 2.5L9.5 7.5v5M13.5 7.5v5m-2-2 2 2 2-2",
  text: "M4 5h12M4 8.5h12M4 12h12M4 15.5h7",
  image: "M3 4.5h14v11H3zM3.5 14l4-4.5 3.5 3.5 2-2 3.5 3.5M13 8h.01",
  video: "M3 4.5h14v11H3zM8.5 7.5v5l4-2.5z",
  data: "M3 4.5h14v11H3zM3 8.2h14M3 11.8h14M8 4.5v11",
  empty: "M5 3h7l3.5 3.5V17H5zM12 3v3.5h3.5"
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, size = 18, className }: { readonly name: IconName; readonly size?: number; readonly className?: string }) => (
  <svg
    className={className} width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor"
    strokeWidth={name === "more" ? 2.4 : 1.5} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)

/** The mark: a sheet standing on a desk. */
export const Mark = ({ size = 24 }: { readonly size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={1.6} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
    <path d="M5.5 20V4.5a2 2 0 0 1 2-2h5.8l5.2 5.2V20M13.3 2.5v5.2h5.2M2 20.2h20" />
    <path className="stroke-accent" d="M9.2 14h5.6" />
  </svg>
)
