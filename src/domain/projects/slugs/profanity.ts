/** Whether a slug contains profanity: spelt out, spelt with hyphens, or with digits for letters. */
import { DataSet, englishDataset, englishRecommendedTransformers, parseRawPattern, RegExpMatcher } from "obscenity"

/**
 * Narrower patterns for entries of the data set that also match surnames, places, medicine or other languages
 * (`trafficking`, `Cummings`, Swedish `slutrapport`); `|` is a word boundary. Empty: the entry is dropped.
 */
const NARROWER: Readonly<Record<string, string>> = {
  abeed: "",
  abo: "",
  anal: "|anal| |analsex",
  anus: "|anus|",
  arse: "|arse| |arses| arsehole",
  ass: "|ass| |asses| asshole |asshat |asswipe |assfuck dumbass |smartass|",
  bastard: "|bastard| |bastards|",
  bitch: "bitch",
  boob: "|boob| boobs|",
  chink: "|chink| |chinks|",
  cock: "|cock| |cocks| cocksuck |cockhead |cockring",
  cuck: "|cuck| cuckold",
  cum: "|cum| |cums| |cumshot |cumslut",
  dick: "|dick| |dicks| |dickhead |dickless |dickwad mydick|",
  dyke: "",
  fag: "|fag| |fags| faggot",
  fuck: "fuck fcuk phuck fvck |fck| |fcks |fuk| |fuks| |fukin |fukk",
  hooker: "|hookers|",
  kike: "|kike| |kikes|",
  negro: "",
  nigger: "nigger nigga |nigs|",
  orgasm: "orgasm",
  orgy: "|orgy| |orgies|",
  penis: "|penis| |penises| penis|",
  porn: "|porn porn|",
  pussy: "pussy",
  rape: "|rape| |raped| |rapes| |raping| |rapist",
  retard: "|retarded |retards|",
  scat: "",
  semen: "|semen|",
  sex: "|sex| |sexy| |sexxx",
  shit: "|shit shit| bullshit",
  slut: "|slut| |sluts| |slutty",
  spastic: "",
  tit: "|tit| |tits| |titties| |titty| |tiddies|",
  turd: "|turd| |turds|",
  vagina: "vagina|",
  wank: "|wank| |wanks| |wanker |wanking"
}

/** Harmless phrases that contain a blocked word. */
const HARMLESS = (
  "blue-tit coal-tit great-tit marsh-tit tit-for-tat chink-in-the-armor chink-in-the-armour cock-a-doodle cock-robin cum-laude " +
  "magna-cum moby-dick philip-k-dick dick-and-jane dick-whittington pussycat pussywillow pussy-willow pussyfoot pussy-riot " +
  "same-sex sex-ed sex-and-the-city shiitake shitake shiite snigger scunthorpe cuckoo pornic mishit pissar " +
  "rapping rapped rapper rappe annal"
).split(" ")

const build = () => {
  const dataSet = new DataSet<{ originalWord: string }>()
    .addAll(englishDataset)
    .removePhrasesIf(({ metadata }) => metadata !== undefined && Object.hasOwn(NARROWER, metadata.originalWord))
  for (const [originalWord, patterns] of Object.entries(NARROWER)) {
    if (patterns === "") continue
    dataSet.addPhrase((phrase) =>
      patterns.split(" ").reduce((all, one) => all.addPattern(parseRawPattern(one)), phrase.setMetadata({ originalWord }))
    )
  }
  const { blacklistedTerms, whitelistedTerms = [] } = dataSet.build()
  return new RegExpMatcher({
    blacklistedTerms,
    whitelistedTerms: [...whitelistedTerms, ...HARMLESS],
    ...englishRecommendedTransformers
  })
}

let matcher: RegExpMatcher | undefined

/** Unlikely to arise from two adjacent words by chance, so searched across hyphens too. */
const ACROSS = /fuck(?!field)|(?<!s)nigger|nigga(?!r)|faggot/

/** Joins single characters in a row into one word: `f-u-c-k`. */
const closed = (slug: string): string => slug.replaceAll(/(?<![a-z0-9])(?:[a-z0-9]-){2,}[a-z0-9](?![a-z0-9])/g, (run) => run.replaceAll("-", ""))

/** A UUID is never profane, though one in 1,400 contains `4a55`. */
const OPAQUE = /(?<![a-z0-9])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![a-z0-9])/g

export const isProfane = (slug: string): boolean => {
  matcher ??= build()
  // Segments of digits alone are numbers; digits at the edge of a word may be numbers or letters, so both readings are checked.
  const spelt = closed(slug.replaceAll(OPAQUE, "0")).split("-").filter((segment) => !/^\d+$/.test(segment))
  const trimmed = spelt.map((segment) => segment.replaceAll(/^\d+|\d+$/g, ""))
  return matcher.hasMatch(spelt.join("-")) || matcher.hasMatch(trimmed.join("-")) || ACROSS.test(slug.replaceAll("-", ""))
}
