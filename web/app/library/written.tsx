/** How a document begins, set small on the sheet of its kind: as text alone, since nothing of it may run or be shown in the app. */
import type { ReactNode } from "react"
import { Browser, faint, Screen, Sheet } from "./sheets.tsx"

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

/** At such a small size, each letter would snap to whole pixels, and words would run together. */
const exact = "[text-rendering:geometricPrecision]"

/** Continues below the edge of the card. */
const Text = ({ children, className, width, x, y }: Place & { readonly className: string; readonly children: ReactNode }) => (
  <foreignObject x={x} y={y} width={width} height={150 - y}><div className={`h-full overflow-hidden text-start ${exact} ${className}`}>{children}</div></foreignObject>
)

/** Neither a list item nor a sentence. */
const isName = (line: string, longest: number): boolean => line.length <= longest && !/^(?:•|\d+[.)])|[.,;:!?…。،]$/.test(line)

/** What stands over a paragraph or a list. */
const isHeading = (line: string, next = ""): boolean => isName(line, 40) && (next.startsWith("•") || next.length > 60)

const Prose = ({ lines, size, ...place }: Place & { readonly lines: ReadonlyArray<string>; readonly size: string }) => {
  const [first = "", ...rest] = lines
  const title = isName(first, 120) ? first : undefined
  const prose = title === undefined ? lines : rest
  return (
    <Text {...place} className="text-[5.5px]/[8px] text-muted">
      {title !== undefined && <p className={`written mb-[4px] line-clamp-3 font-semibold tracking-[-0.01em] text-ink ${size}`}>{title}</p>}
      {prose.map((line, index) => <p key={index} className={`written ${isHeading(line, prose[index + 1]) ? "mt-[4.5px] mb-px font-semibold text-ink" : "mb-[2.5px]"}`}>{line}</p>)}
    </Text>
  )
}

const Lines = ({ className, excerpt, ...place }: Place & { readonly excerpt: string; readonly className: string }) => (
  <Text {...place} className={`written font-mono text-[4.8px]/[7.5px] text-muted ${className}`}>{excerpt}</Text>
)

const isNumber = (cell: string): boolean => /^[-+(]?\p{Sc}?\s?\d[\d.,\s]*[%)]?\s?\p{Sc}?$/u.test(cell)

/** Columns are as wide, relative to one another, as their contents. */
const Grid = ({ rows }: { readonly rows: ReadonlyArray<ReadonlyArray<string>> }) => {
  const columns = Array.from({ length: Math.max(...rows.map(({ length }) => length)) }, (_, column) => {
    const cells = rows.map((cells) => cells[column] ?? "")
    return { wide: Math.min(14, Math.max(5, ...cells.map(({ length }) => length))), numbers: cells.slice(1).some(isNumber) && cells.slice(1).every((cell) => cell === "" || isNumber(cell)) }
  })
  const gridTemplateColumns = columns.map(({ wide }) => `minmax(0, ${wide}fr)`).join(" ")
  return (
    <foreignObject x={38.5} y={24.5} width={163} height={125}>
      <div dir="auto" className={`overflow-hidden rounded-t-[5.5px] text-[5.5px]/[13px] text-muted ${exact}`}>
        {rows.map((cells, row) => (
          <div key={row} className={`grid px-[3px] ${row === 0 ? "font-semibold text-ink" : ""}`} style={{ gridTemplateColumns, borderBottom: `0.6px solid ${faint}`, ...(row === 0 && { background: faint }) }}>
            {cells.map((cell, column) => <span key={column} className={`truncate px-[4px] ${columns[column]?.numbers === true ? "text-end tabular-nums" : ""}`}>{cell}</span>)}
          </div>
        ))}
      </div>
    </foreignObject>
  )
}

/** How each kind that has words looks. */
export const written: Readonly<Record<string, (excerpt: string) => ReactNode>> = {
  markdown: (excerpt) => <Sheet><Prose x={71} y={32} width={98} size="text-[8px]/[9.5px]" lines={excerpt.split("\n")} /></Sheet>,
  site: (excerpt) => <Browser><Prose x={50} y={51} width={140} size="text-[9.5px]/[11.5px]" lines={excerpt.split("\n")} /></Browser>,
  text: (excerpt) => <Sheet><Lines x={69} y={30} width={102} className="whitespace-pre-wrap" excerpt={excerpt} /></Sheet>,
  data: (excerpt) => excerpt.includes("\t")
    ? <Screen><Grid rows={excerpt.split("\n").map((row) => row.split("\t"))} /></Screen>
    : <Screen><Lines x={47} y={33} width={146} className="whitespace-pre" excerpt={excerpt} /></Screen>
}
