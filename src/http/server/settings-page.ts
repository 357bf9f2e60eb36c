/** /settings until the web app takes it over: who is signed in, what is connected, and the way back from the provider. */
import { DateTime, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { User } from "../../domain/accounts/model.ts"
import { Grants } from "../../domain/grants/grants.ts"
import type { Grant } from "../../domain/grants/model.ts"
import { html } from "../../look/html.ts"
import type { Html } from "../../look/html.ts"
import { page } from "../../look/page.ts"
import { pageAnswer } from "./answers.ts"
import { sessionForm, sessionPage } from "./session-forms.ts"
import type { Fields } from "./session-forms.ts"

/** What the callback reports in `idp_link_error`, in words. */
const REFUSALS: Readonly<Record<string, string>> = {
  conflict: "That identity belongs to another account, or this account has one already.",
  email_not_verified: "The provider has not verified your address there.",
  unavailable: "The provider does not answer right now. Try again in a moment."
}

const report = (fields: Fields): Html | null => {
  if (fields["idp_linked"] === "1") return html`<p role="status">Your organisation’s sign-in is linked.</p>`
  const refused = fields["idp_link_error"]
  return refused === undefined
    ? null
    : html`<p class="refusal" role="alert">${REFUSALS[refused] ?? "The sign-in could not be linked. Nothing has changed."}</p>`
}

const connected = (grant: Grant, csrf: string): Html =>
  html`<li><h2>${grant.client}</h2><p class="facts"><span>${grant.kind === "device" ? "Device" : "Agent"}, since ${DateTime.formatIsoDateUtc(grant.createdAt)}</span></p>
<form method="post" action="/settings"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="grant" value="${grant.id}">
<div class="actions"><button class="button quiet">Revoke</button></div></form></li>`

const settingsPage = (user: User, grants: ReadonlyArray<Grant>, fields: Fields, csrf: string, provider: boolean): string =>
  page({
    title: "Settings",
    layout: "wide",
    body: html`<h1>Settings</h1><p class="lead">Signed in as <code>${user.email}</code>.</p>${report(fields)}
${provider && !user.idpLinked ? html`<p class="doing"><a class="button" href="/v1/auth/idp/link">Link your organisation’s sign-in</a></p>` : null}
<h2>Connected devices and agents</h2>
${
      grants.length === 0
        ? html`<p class="muted">Nothing is connected. What you let in shows up here.</p>`
        : html`<ol class="mails" role="list">${grants.map((grant) => connected(grant, csrf))}</ol>`
    }`
  })

export const SettingsPage = ({ provider }: { readonly provider: boolean }) =>
  Layer.mergeAll(
    HttpRouter.add(
      "GET",
      "/settings",
      sessionPage((user, fields, csrf) =>
        Effect.map(Effect.flatMap(Grants, (grants) => grants.list(user.id)), (grants) => pageAnswer(settingsPage(user, grants, fields, csrf, provider)))
      )
    ),
    HttpRouter.add(
      "POST",
      "/settings",
      sessionForm(() => "/settings", (user, fields) =>
        Effect.flatMap(Grants, (grants) => grants.revoke(user.id, fields["grant"] ?? "")).pipe(
          Effect.catchTag("not_found", () => Effect.void),
          Effect.as(HttpServerResponse.redirect("/settings", { status: 303 }))
        ))
    )
  )
