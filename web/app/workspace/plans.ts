/** What each plan gives, as told before it is bought; test/web holds it equal to what the service enforces. */
const MB = 1024 * 1024
const GB = 1024 * MB

export const PLANS = {
  starter: { name: "Starter", projects: 5, storage_bytes: GB, seats: 1, upload_bytes: 25 * MB, versions_kept: 3, analytics_days: 7 },
  studio: { name: "Studio", projects: 100, storage_bytes: 100 * GB, seats: 5, upload_bytes: 500 * MB, versions_kept: 20, analytics_days: 90 },
  agency: { name: "Agency", projects: 1000, storage_bytes: 1024 * GB, seats: 25, upload_bytes: GB, versions_kept: 100, analytics_days: 365 }
} as const

export type PlanName = keyof typeof PLANS

export const PLAN_NAMES = Object.keys(PLANS) as ReadonlyArray<PlanName>
