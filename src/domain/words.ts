/** Amounts, waits and days in words. */

/** `1 file`, `2,000 files`. */
export const countText = (count: number, one: string, several = `${one}s`): string => `${count.toLocaleString("en")} ${count === 1 ? one : several}`

/** How long to wait: in seconds below a minute, in minutes above. */
export const waitText = (seconds: number): string => seconds < 60 ? countText(seconds, "second") : countText(Math.ceil(seconds / 60), "minute")

/** `14 March 2027`, in UTC. */
export const dayText = (moment: Date): string => moment.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
