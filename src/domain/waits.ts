/** How long to wait, in words: in seconds below a minute, in minutes above. */
export const waiting = (seconds: number): string => {
  const [count, unit] = seconds < 60 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}
