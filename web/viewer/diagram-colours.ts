/** A diagram in the colours of the page around it. Pure. */
import type { Palette } from "./kinds/markdown/drawing.ts"

/** An image loads no typeface, so letters are measured in one that is there. */
export const FACE = "Arial, \"Liberation Sans\", Helvetica, \"DejaVu Sans\", sans-serif"

const channels = (colour: string): ReadonlyArray<number> => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

/** So much of one colour, from 0 to 1, in the other. */
const mixed = (one: string, share: number, other: string): string => {
  const [from, to] = [channels(one), channels(other)]
  return `#${from.map((value, at) => Math.round(value * share + to[at]! * (1 - share)).toString(16).padStart(2, "0")).join("")}`
}

const numbered = (name: string, count: number, of: (at: number) => string, from = 0): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at + from}`, of(at)]))

/** As mermaid names what can be coloured. */
export const variables = (palette: Palette): Readonly<Record<string, unknown>> => {
  const { accent, bad, blue, dark, desk, good, ink, line, muted, sheet, warn } = palette
  const edge = mixed(muted, .6, sheet)
  // On a dark sheet a part is lighter than it, as if it lay on it.
  const part = dark ? mixed(ink, .07, sheet) : desk
  const hues = [blue, accent, good, warn, muted, mixed(blue, .5, accent), mixed(good, .5, blue), bad]
  const hue = (at: number): string => hues[at % hues.length]!
  const soft = (at: number): string => mixed(hue(at), dark ? .3 : .2, sheet)
  const full = (at: number): string => mixed(hue(at), dark ? .75 : .8, sheet)
  const wash = (colour: string): string => mixed(colour, .12, sheet)
  return {
    darkMode: dark, fontFamily: FACE, fontSize: "15px", useGradient: false, dropShadow: "none",
    background: sheet, textColor: ink, titleColor: ink, lineColor: muted, arrowheadColor: muted, defaultLinkColor: muted,
    primaryColor: part, primaryTextColor: ink, primaryBorderColor: edge,
    secondaryColor: wash(blue), secondaryTextColor: ink, secondaryBorderColor: mixed(blue, .6, sheet),
    tertiaryColor: mixed(part, .5, sheet), tertiaryTextColor: ink, tertiaryBorderColor: line,
    mainBkg: part, nodeBkg: part, nodeBorder: edge, nodeTextColor: ink, clusterBkg: mixed(part, .5, sheet), clusterBorder: line, edgeLabelBackground: sheet,
    noteBkgColor: wash(warn), noteTextColor: ink, noteBorderColor: mixed(warn, .5, sheet),
    actorBkg: part, actorBorder: edge, actorTextColor: ink, actorLineColor: edge, signalColor: muted, signalTextColor: ink,
    labelBoxBkgColor: part, labelBoxBorderColor: edge, labelTextColor: ink, loopTextColor: ink, activationBkgColor: wash(blue), activationBorderColor: mixed(blue, .6, sheet),
    sequenceNumberColor: sheet, rectBkgColor: mixed(part, .5, sheet),
    sectionBkgColor: mixed(part, .6, sheet), sectionBkgColor2: mixed(part, .6, sheet), altSectionBkgColor: sheet, gridColor: line, todayLineColor: accent, vertLineColor: blue, excludeBkgColor: mixed(part, .8, sheet),
    taskBkgColor: soft(0), taskBorderColor: full(0), taskTextColor: ink, taskTextLightColor: ink, taskTextDarkColor: ink, taskTextOutsideColor: ink, taskTextClickableColor: ink,
    activeTaskBkgColor: soft(3), activeTaskBorderColor: full(3), doneTaskBkgColor: mixed(muted, .18, sheet), doneTaskBorderColor: edge, critBkgColor: soft(1), critBorderColor: full(1),
    stateBkg: part, stateLabelColor: ink, labelBackgroundColor: sheet, compositeBackground: sheet, compositeTitleBackground: part, compositeBorder: edge, altBackground: mixed(part, .5, sheet),
    transitionColor: muted, transitionLabelColor: ink, specialStateColor: muted, innerEndBackground: muted,
    classText: ink, relationColor: muted, relationLabelBackground: sheet, relationLabelColor: ink, rowOdd: sheet, rowEven: mixed(part, .6, sheet), attributeBackgroundColorOdd: sheet, attributeBackgroundColorEven: part,
    personBkg: part, personBorder: edge, requirementBackground: part, requirementBorderColor: edge, requirementTextColor: ink,
    errorBkgColor: part, errorTextColor: ink,
    ...numbered("pie", 12, full, 1), pieTitleTextColor: ink, pieTitleTextSize: "18px", pieSectionTextColor: dark ? desk : "#ffffff", pieSectionTextSize: "14px", pieLegendTextColor: ink, pieLegendTextSize: "14px",
    pieStrokeColor: sheet, pieStrokeWidth: "1.5px", pieOuterStrokeColor: sheet, pieOuterStrokeWidth: "0px", pieOpacity: "1",
    ...numbered("cScale", 12, soft), ...numbered("cScaleLabel", 12, () => ink), ...numbered("cScalePeer", 12, full), ...numbered("cScaleInv", 12, full),
    ...numbered("fillType", 8, soft), ...numbered("surface", 5, soft), ...numbered("surfacePeer", 5, full), scaleLabelColor: ink,
    ...numbered("git", 8, full), ...numbered("gitInv", 8, () => sheet), ...numbered("gitBranchLabel", 8, () => dark ? desk : "#ffffff"), branchLabelColor: ink,
    commitLabelColor: ink, commitLabelBackground: part, tagLabelColor: ink, tagLabelBackground: part, tagLabelBorder: edge, commitLabelFontSize: "12px", tagLabelFontSize: "12px",
    quadrant1Fill: wash(good), quadrant2Fill: wash(blue), quadrant3Fill: mixed(part, .6, sheet), quadrant4Fill: wash(warn),
    quadrant1TextFill: ink, quadrant2TextFill: ink, quadrant3TextFill: ink, quadrant4TextFill: ink, quadrantPointFill: accent, quadrantPointTextFill: ink,
    quadrantXAxisTextFill: ink, quadrantYAxisTextFill: ink, quadrantInternalBorderStrokeFill: line, quadrantExternalBorderStrokeFill: edge, quadrantTitleFill: ink,
    xyChart: {
      backgroundColor: sheet, titleColor: ink, dataLabelColor: ink, legendTextColor: ink, xAxisTitleColor: ink, xAxisLabelColor: muted, xAxisTickColor: edge, xAxisLineColor: edge,
      yAxisTitleColor: ink, yAxisLabelColor: muted, yAxisTickColor: edge, yAxisLineColor: edge, plotColorPalette: hues.map((_, at) => full(at)).join(",")
    },
    radar: { axisColor: edge, graticuleColor: line, graticuleOpacity: .4, curveOpacity: .8 },
    ...numbered("venn", 8, full, 1), vennTitleTextColor: ink, vennSetTextColor: ink,
    packet: { startByteColor: muted, endByteColor: muted, labelColor: ink, titleColor: ink, blockStrokeColor: edge, blockFillColor: part },
    treeView: { labelColor: ink, lineColor: muted }, treemap: { labelColor: ink, titleColor: ink, valueColor: ink, sectionStrokeColor: edge, leafStrokeColor: edge },
    cynefin: { ...Object.fromEntries(["complex", "complicated", "chaotic", "clear", "confusion"].map((name, at) => [`${name}Bg`, wash(hue(at))])), boundaryColor: edge, cliffColor: bad, textColor: ink, labelColor: ink },
    archEdgeColor: muted, archEdgeArrowColor: muted, archGroupBorderColor: edge,
    emUiFill: soft(4), emUiStroke: full(4), emProcessorFill: soft(5), emProcessorStroke: full(5), emReadModelFill: soft(2), emReadModelStroke: full(2), emCommandFill: soft(0), emCommandStroke: full(0),
    emEventFill: soft(3), emEventStroke: full(3), emSwimlaneBackgroundOdd: mixed(part, .4, sheet), emSwimlaneBackgroundStroke: line
  }
}

/** What journeys take from elsewhere. */
export const journey = ({ accent, blue, good, ink, muted, sheet, warn }: Palette) => {
  const hues = [blue, accent, good, warn, muted]
  return { sectionFills: hues.map((hue) => mixed(hue, .3, sheet)), sectionColours: [ink], actorColours: hues }
}
