/** What is held back, and what must never be. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { isReserved } from "../../../../src/domain/projects/slugs/reserved-slugs.ts"

const reserved = (text: string) => {
  for (const slug of text.trim().split(/\s+/)) assert.isTrue(isReserved(slug), slug)
}
const free = (text: string) => {
  for (const slug of text.trim().split(/\s+/)) assert.isFalse(isReserved(slug), slug)
}

describe("reserved slugs", () => {
  it("the service and its plumbing", () =>
    reserved(`
      www api app mail admin login docs status cdn assets static svc support billing security account mta-sts wpad autodiscover
      isatap localhost postmaster hostmaster abuse ns1 mx10 www2 api2 oauth mcp rpc healthz log1n adm1n 0auth admin1
    `))

  it("whoever people trust with their secrets", () =>
    reserved(`
      paypal google apple microsoft amazon netflix wellsfargo bank-of-america paypal-login login-paypal paypal-secure-login-2026
      google-support microsoft365-login microsoft-365-login chase-online visa-verify steam-support apple-id appleid svc-login svc-support
      paypallogin loginpaypal secureapple paypal1 paypal-2026 my-paypal paypal-com www-paypal-com www-apple-com pay-pal-login
      paypa1 g00gle micros0ft faceb00k arnazon netf1ix netfiix instagrarn goog1e
      secure-login verify-account password-reset account-security support-login s3cure-l0gin login1
    `))

  it("profanity, in digits and spelt apart too", () =>
    reserved(`
      fuck f-u-c-k fu-ck fuuuck fvck fuck-you-2026 motherfucker sh1t 5h1t bullshit a55hole 455hole asshole99 my-ass b1tch c0ck d1ck
      big-d1ck-energy n1gger n1gga nigg3r fagg0t p0rn pussy1 cunt c-u-n-t wh0re tw4t t1ts 0fuck0
    `))

  it("but no plain word that only looks like one", () =>
    free(`
      cockpit scunthorpe essex sussex analytics analytics-2026 assassin class-notes class-5 grape therapist title document assets-2026
      analysis cumulative dickens shiitake titanic constitution mishit peacock hancock cocktail basement canal bass-fishing passport
      sexton arsenal raptor button circumstance pen-island its-hit-time trafficking fukushima bitcoin pitch-deck compass saturday
      slutrapport friends-of-uckfield snigger niger nigeria rio-negro q3-report-455 harbor-4553 team-8008
    `))

  it("nor what a machine made up", () => free("b5df0f19-3ee4-4a55-a798-b10def334c19 report-2806ea0b-edbf-4a55-985a-439c173ccd9c-final"))

  it("no deliverable that only names a brand or a sensitive thing", () =>
    free(`
      apple-pie steam-engine visa-requirements chase-the-sun google-analytics-report paypal-integration-guide stripe-integration
      target-audience ledger-2026 zoom-in uber-fast meta-analysis wise-words amazon-river applesauce corner modern warning-signs
      service-design card-game update-2026 our-team support-your-local-library client-portal-redesign invoice-template my-site
      demo test test1 report annual-report portfolio hello-world landing orange museum2024 nov2026 form1040 team1 v2-design
      www-history api-design-guide svc-notes quiet-harbor-4821
    `))

  it("is no part of what a client imports", () => {
    const syntax = readFileSync(new URL("../../../../src/domain/projects/slugs/slugs.ts", import.meta.url), "utf8")
    assert.notMatch(syntax, /from "\.\/(reserved|imperson|profan)/)
  })
})
