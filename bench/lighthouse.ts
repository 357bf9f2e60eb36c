/** Lighthouse's own score of a page load: its log-normal curves, control points and weights (version 10 and later). */

export interface Metrics {
  /** In milliseconds, except `cls`, which has no unit. */
  readonly fcp: number
  readonly si: number
  readonly lcp: number
  readonly tbt: number
  readonly cls: number
}

/** Where a metric scores 90, and where 50. */
type Curve = readonly [p10: number, median: number]

export interface Preset {
  readonly name: "mobile" | "desktop"
  readonly curves: { readonly [Name in keyof Metrics]: Curve }
  /** As its DevTools throttling applies them: 3.75 round trips per request, nine tenths of the throughput. */
  readonly network: { readonly latencyMs: number; readonly downKbps: number; readonly upKbps: number }
  readonly cpuSlowdown: number
  readonly screen: { readonly width: number; readonly height: number; readonly scale: number; readonly touch: boolean }
}

const WEIGHTS: Metrics = { fcp: 10, si: 10, lcp: 25, tbt: 30, cls: 25 }

const ROUND_TRIPS = 3.75

export const presets: ReadonlyArray<Preset> = [
  {
    name: "mobile",
    curves: { fcp: [1800, 3000], si: [3387, 5800], lcp: [2500, 4000], tbt: [200, 600], cls: [0.1, 0.25] },
    network: { latencyMs: 150 * ROUND_TRIPS, downKbps: 1638.4 * 0.9, upKbps: 750 * 0.9 },
    cpuSlowdown: 4,
    screen: { width: 412, height: 823, scale: 1.75, touch: true }
  },
  {
    name: "desktop",
    curves: { fcp: [934, 1600], si: [1311, 2300], lcp: [1200, 2400], tbt: [150, 350], cls: [0.1, 0.25] },
    network: { latencyMs: 40 * ROUND_TRIPS, downKbps: 10_240 * 0.9, upKbps: 10_240 * 0.9 },
    cpuSlowdown: 1,
    screen: { width: 1350, height: 940, scale: 1, touch: false }
  }
]

/** Abramowitz and Stegun 7.1.26. */
const erf = (x: number): number => {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const y = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
  return Math.sign(x) * (1 - y * Math.exp(-x * x))
}

/** erfc⁻¹(1/5): the point where a log-normal curve has a tenth left. */
const TENTH = 0.9061938024368232

const scoreOf = (value: number, [p10, median]: Curve): number => {
  if (value <= 0) return 1
  const share = (1 - erf(Math.log(value / median) * TENTH / -Math.log(p10 / median))) / 2
  if (value <= p10) return Math.max(0.9, Math.min(1, share))
  return value <= median ? Math.max(0.5, Math.min(0.8999, share)) : Math.max(0, Math.min(0.4999, share))
}

const names = Object.keys(WEIGHTS) as ReadonlyArray<keyof Metrics>

/** Of 100. */
export const score = (metrics: Metrics, { curves }: Preset): number =>
  Math.round(names.reduce((sum, name) => sum + WEIGHTS[name] * scoreOf(metrics[name], curves[name]), 0))
