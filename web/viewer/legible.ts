/** What makes the words of a drawn diagram readable where it comes out otherwise. */

type Colour = readonly [red: number, green: number, blue: number]

const DARK = "#1c1b19"
const LIGHT = "#ffffff"
const LEAST = 3

const colour = (text: string): Colour | undefined => {
  const parts = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text)
  return parts === null || Number(parts[4] ?? 1) < .5 ? undefined : [Number(parts[1]), Number(parts[2]), Number(parts[3])]
}

const light = ([red, green, blue]: Colour): number => {
  const [r, g, b] = [red, green, blue].map((part) => part / 255 <= .04045 ? part / 255 / 12.92 : ((part / 255 + .055) / 1.055) ** 2.4)
  return .2126 * r! + .7152 * g! + .0722 * b!
}

const contrast = (one: number, other: number): number => (Math.max(one, other) + .05) / (Math.min(one, other) + .05)

/** Authors colour single parts for one background: words on such a part are made dark or light, whichever can be read on it. */
const againstParts = (svg: SVGSVGElement): void => {
  for (const node of svg.querySelectorAll<SVGGElement>("g.node, g.cluster")) {
    const shape = node.querySelector(":scope > :is(rect, circle, ellipse, polygon, path, g.basic > path, g > path)")
    const under = shape === null ? undefined : colour(getComputedStyle(shape).fill)
    if (under === undefined) continue
    const behind = light(under)
    for (const words of node.querySelectorAll<HTMLElement | SVGElement>("text, tspan, foreignObject *")) {
      const name = words instanceof HTMLElement ? "color" : "fill"
      const over = colour(getComputedStyle(words)[name])
      if (over !== undefined && contrast(light(over), behind) < LEAST) words.style.setProperty(name, behind > .18 ? DARK : LIGHT, "important")
    }
  }
}

/** Days under a plan lie on each other where there are many: those that do not fit are left out. */
const apart = (svg: SVGSVGElement): void => {
  for (const axis of svg.querySelectorAll("g.grid")) {
    let end = -Infinity
    for (const words of axis.querySelectorAll(".tick text")) {
      const { left, right } = words.getBoundingClientRect()
      if (left < end + 6) words.remove()
      else end = right
    }
  }
}

/** The lines between systems and what they say have one dark grey for every sheet. */
const onSheet = (svg: SVGSVGElement, ink: string): void => {
  for (const name of ["fill", "stroke"]) svg.querySelectorAll(`[${name}="#444444"]`).forEach((one) => one.setAttribute(name, ink))
}

export const legible = (svg: SVGSVGElement, ink: string): void => {
  onSheet(svg, ink)
  againstParts(svg)
  apart(svg)
}
