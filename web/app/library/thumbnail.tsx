/** A document as a small sheet on the desk: how it begins, in words or as svc has drawn it, or else a drawing by its kind. */
import type { ReactNode } from "react"
import type { Kind, Project } from "../api/projects.ts"
import { Picture } from "./picture.tsx"
import { Browser, faint, hair, paper, Screen, Sheet, strong } from "./sheets.tsx"
import { written } from "./written.tsx"

const bar = (x: number, y: number, width: number, fill = faint, height = 3) => <rect key={`${x} ${y}`} x={x} y={y} width={width} height={height} rx={height / 2} fill={fill} />
const bars = (x: number, from: number, widths: ReadonlyArray<number>, gap = 9) => widths.map((width, index) => bar(x, from + index * gap, width))

const drawings: Readonly<Record<Kind | "none", ReactNode>> = {
  markdown: (
    <Sheet>
      <path d="M75 35l-3 12M82 35l-3 12M70.5 39h13M69.5 43h13" stroke={strong} strokeWidth={1.8} strokeLinecap="round" fill="none" />
      {bar(91, 38.5, 58, strong, 5)}
      {bars(72, 58, [96, 88, 92, 54])}
      {[98, 109, 120].map((y, index) => <g key={y}><circle cx={74} cy={y + 1.5} r={1.8} fill={strong} />{bar(81, y, [70, 82, 60][index]!)}</g>)}
    </Sheet>
  ),
  text: <Sheet>{Array.from({ length: 11 }, (_, index) => bar(70, 34 + index * 9, 5, strong, 2))}{bars(82, 33.5, [74, 86, 58, 0, 84, 80, 42, 0, 86, 70, 78])}</Sheet>,
  pdf: (
    <>
      <path d="M65 20h91l24 24v126H60V25a5 5 0 0 1 5-5z" fill={paper} stroke={hair} />
      <path d="M156 20v19a5 5 0 0 0 5 5h19z" fill={faint} stroke={hair} />
      {bar(72, 38, 52, strong, 5)}
      {bars(72, 58, [44, 40, 44, 36, 42, 44, 30, 44])}
      {bars(124, 58, [44, 38, 44])}
      <rect x={124} y={86} width={44} height={30} rx={2} fill={faint} />
      {bars(124, 121, [44])}
    </>
  ),
  site: (
    <Browser>
      {bar(52, 54, 66, strong, 6)}
      {bars(52, 68, [78, 60], 8)}
      <rect x={52} y={86} width={26} height={9} rx={3} fill={strong} />
      <rect x={144} y={53} width={46} height={42} rx={4} fill={faint} />
      {[52, 100, 148].map((x) => <rect key={x} x={x} y={106} width={42} height={30} rx={4} fill={faint} />)}
    </Browser>
  ),
  image: (
    <>
      <rect x={46} y={22} width={148} height={92} rx={5} fill={paper} stroke={hair} />
      <rect x={53} y={29} width={134} height={78} rx={2} fill={faint} />
      <circle cx={160} cy={49} r={8} fill={strong} />
      <path d="M53 107V93l38-34 31 31 17-16 48 30v3z" fill={strong} />
    </>
  ),
  video: (
    <>
      <rect x={40} y={20} width={160} height={92} rx={6} fill={strong} />
      <circle cx={120} cy={62} r={17} fill={paper} />
      <path d="M115 53.5v17l14-8.5z" fill={strong} />
      <path d="M52 101h136" stroke={paper} strokeWidth={2.5} strokeLinecap="round" opacity={0.5} />
      <path d="M52 101h48" stroke={paper} strokeWidth={2.5} strokeLinecap="round" />
      <circle cx={100} cy={101} r={4} fill={paper} />
    </>
  ),
  data: (
    <Screen>
      <path d="M44 24h152a6 6 0 0 1 6 6v13H38V30a6 6 0 0 1 6-6z" fill={faint} />
      {[48, 102, 156].map((x, index) => bar(x, 31.5, [30, 24, 32][index]!, strong, 4))}
      {[0, 1, 2, 3, 4].map((row) => (
        <g key={row}>
          {bar(48, 52 + row * 18, [34, 26, 38, 30, 22][row]!)}
          {bar(102, 52 + row * 18, [20, 34, 26, 16, 30][row]!)}
          {bar(156, 52 + row * 18, [26, 36, 18, 32, 22][row]!, faint)}
          <path d={`M38 ${61.5 + row * 18}h164`} stroke={faint} />
        </g>
      ))}
      <path d="M92 24v150M146 24v150" stroke={faint} />
    </Screen>
  ),
  none: <rect x={60} y={20} width={120} height={150} rx={5} fill="none" stroke={strong} strokeDasharray="4 5" />
}

const drawn = (project: Project): ReactNode => {
  const { excerpt, kind, thumbnail } = project
  if (thumbnail) return <Picture project={project} size={thumbnail} />
  return kind !== null && excerpt && written[kind]?.(excerpt) || drawings[kind ?? "none"]
}

/** Fills its place from the top: a wide place shows all of its width, a narrow one its middle. */
export const Thumbnail = ({ className = "w-full", project }: { readonly project: Project; readonly className?: string }) => (
  <svg viewBox="0 0 240 132" preserveAspectRatio="xMidYMin slice" className={`block select-none ${className}`} aria-hidden="true">{drawn(project)}</svg>
)
