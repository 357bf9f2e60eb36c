/** A document as a small sheet on the desk, drawn after its kind: told apart at a glance, and nothing has to load. */
import type { Kind } from "../api/projects.ts"

const faint = "var(--line)"

const rows = (from: number, widths: ReadonlyArray<number>, gap = 9) =>
  widths.map((width, index) => <rect key={index} x={66} y={from + index * gap} width={width} height={3} rx={1.5} fill={faint} />)

const drawings: Readonly<Record<Kind | "none", React.ReactNode>> = {
  markdown: <><rect x={66} y={42} width={70} height={6} rx={3} fill="var(--muted)" opacity={.55} />{rows(60, [108, 96, 104, 60])}<rect x={66} y={102} width={44} height={4} rx={2} fill="var(--muted)" opacity={.4} />{rows(114, [100, 106])}</>,
  text: <>{rows(42, [90, 104, 76, 108, 98, 54, 102, 88, 70])}</>,
  pdf: <><rect x={66} y={42} width={108} height={36} rx={3} fill={faint} />{rows(88, [108, 100, 106, 80])}<circle cx={164} cy={34} r={3} fill="var(--accent)" /></>,
  site: <><circle cx={68} cy={37} r={2} fill="var(--accent)" /><circle cx={76} cy={37} r={2} fill={faint} /><circle cx={84} cy={37} r={2} fill={faint} /><path d="M54 46h132" stroke={faint} /><rect x={66} y={58} width={60} height={7} rx={3} fill="var(--muted)" opacity={.55} />{rows(74, [88, 72])}<rect x={66} y={98} width={50} height={28} rx={3} fill={faint} /><rect x={124} y={98} width={50} height={28} rx={3} fill={faint} /></>,
  image: <><rect x={62} y={38} width={116} height={76} rx={3} fill={faint} /><circle cx={154} cy={58} r={8} fill="var(--sheet)" /><path d="M62 114v-10l34-36 28 30 14-14 40 30z" fill="var(--muted)" opacity={.45} /></>,
  video: <><rect x={62} y={38} width={116} height={76} rx={3} fill="var(--muted)" opacity={.3} /><path d="M112 64v24l22-12z" fill="var(--sheet)" /><rect x={70} y={104} width={100} height={2} rx={1} fill="var(--sheet)" /><rect x={70} y={104} width={34} height={2} rx={1} fill="var(--accent)" /></>,
  data: <>{[0, 1, 2, 3, 4, 5].map((row) => <g key={row}>{[0, 1, 2].map((column) => <rect key={column} x={66 + column * 38} y={42 + row * 14} width={[26, 30, 18][column]! - (row * 7 + column * 5) % 9} height={row === 0 ? 4 : 3} rx={1.5} fill={row === 0 ? "var(--muted)" : faint} opacity={row === 0 ? .55 : 1} />)}<path d={`M62 ${51 + row * 14}h116`} stroke={faint} strokeWidth={.75} /></g>)}</>,
  none: <rect x={66} y={44} width={108} height={70} rx={4} fill="none" stroke={faint} strokeDasharray="4 5" />
}

export const Thumbnail = ({ kind }: { readonly kind: Kind | null }) => (
  <svg viewBox="0 0 240 132" className="block w-full" aria-hidden="true">
    <rect x={54} y={24} width={132} height={140} rx={5} fill="var(--sheet)" stroke={faint} />
    {drawings[kind ?? "none"]}
  </svg>
)
