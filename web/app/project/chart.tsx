/** Views and readers by day as two lines; the table beside it says the same to those who cannot see it. */
import { useEffect, useRef } from "react"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"
import type { Analytics } from "../api/analytics.ts"
import { numberOf, utcDayOf } from "../ui/facts.tsx"
import { DAY_SECONDS } from "../ui/times.ts"

const HEIGHT = 216

/** Days are UTC days, and shown as such. */
const inUtc = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC")

const dayAt = (seconds: number): string => utcDayOf(new Date(seconds * 1000))

const drawn = (place: HTMLElement, series: Analytics["series"]): uPlot => {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const font = `12px ${getComputedStyle(document.body).fontFamily}`
  const axis: uPlot.Axis = { stroke: colour("--muted"), font, ticks: { show: false }, grid: { stroke: colour("--line"), width: 1 } }
  const top = Math.max(4, ...series.map(({ views }) => views))
  return new uPlot({
    width: place.clientWidth,
    height: HEIGHT,
    tzDate: inUtc,
    padding: [8, 8, 0, 0],
    cursor: { y: false, points: { size: 8 } },
    legend: { live: true },
    // Keeps the first and the last day clear of the edges.
    scales: { x: { range: (_, from, to) => [from - DAY_SECONDS / 2, to + DAY_SECONDS / 2] }, y: { range: [0, top * 1.08] } },
    axes: [
      { ...axis, grid: { show: false }, gap: 10, size: 34, space: 64, incrs: [1, 2, 5, 7, 14, 28, 56].map((days) => days * DAY_SECONDS), values: (_, at) => at.map(dayAt) },
      { ...axis, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000], values: (_, all) => all.map(numberOf) }
    ],
    series: [
      { label: "Day", value: (_, at) => at === null ? "" : dayAt(at) },
      { label: "Views", stroke: colour("--accent"), width: 2, points: { show: series.length <= 7, size: 6 }, value: (_, one) => one === null ? "" : numberOf(one) },
      { label: "Readers", stroke: colour("--muted"), width: 1.5, dash: [4, 4], points: { show: false }, value: (_, one) => one === null ? "" : numberOf(one) }
    ]
  }, [series.map(({ date }) => Date.parse(date) / 1000), series.map(({ views }) => views), series.map(({ unique_visitors }) => unique_visitors)], place)
}

const Chart = ({ series }: { readonly series: Analytics["series"] }) => {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = place.current
    if (box === null) return
    let plot = drawn(box, series)
    const again = () => {
      plot.destroy()
      plot = drawn(box, series)
    }
    const resized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
    resized.observe(box)
    const themed = new MutationObserver(again)
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] })
    const coloured = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) => matchMedia(query))
    for (const query of coloured) query.addEventListener("change", again)
    return () => {
      resized.disconnect()
      themed.disconnect()
      for (const query of coloured) query.removeEventListener("change", again)
      plot.destroy()
    }
  }, [series])
  return <div ref={place} role="img" aria-label="Views and readers by day; the table below has the figures" className="readers" />
}

export default Chart
