/** The official conformance suite against a running service, at both revisions: everything it can ask of a service with its own tools passes. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { consent } from "../support/agents.ts"
import type { Check } from "../support/conformance.ts"
import { authorizationChecks, serverChecks } from "../support/conformance.ts"
import { register, signIn } from "../support/oauth.ts"
import { freePort } from "../support/program.ts"
import { Service, serviceWith } from "../support/service.ts"

/** Scenarios that apply to this service. */
const RUN: Record<string, ReadonlyArray<string>> = {
  "2025-11-25": ["server-initialize", "ping", "tools-list", "dns-rebinding-protection"],
  "2026-07-28": [
    "server-stateless", "tools-list", "caching", "dns-rebinding-protection", "http-header-validation", "sep-2164-resource-not-found",
    "server-sse-multiple-streams", "input-required-result-ignore-extra-params", "input-required-result-missing-input-response",
    "input-required-result-unsupported-methods", "input-required-result-validate-input"
  ]
}

/** Scenarios that call tools of the suite's own server, and why this service lacks them. */
const NEED_FIXTURES: Record<string, ReadonlyArray<string>> = {
  "tools named test_…, with fixed answers": [
    "tools-call-simple-text", "tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content",
    "tools-call-error", "tools-call-with-progress", "tools-call-with-logging", "json-schema-2020-12"
  ],
  "tools that ask the client back; ours have all they need in their arguments": [
    "tools-call-sampling", "tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums",
    "input-required-result-basic-elicitation", "input-required-result-basic-sampling", "input-required-result-basic-list-roots",
    "input-required-result-request-state", "input-required-result-multiple-input-requests", "input-required-result-multi-round",
    "input-required-result-non-tool-request", "input-required-result-result-type", "input-required-result-tampered-state",
    "input-required-result-capability-check"
  ],
  "prompts, resources, completion, logging: no such capability is declared, and Method not found is the answer": [
    "prompts-list", "prompts-get-simple", "prompts-get-with-args", "prompts-get-embedded-resource", "prompts-get-with-image",
    "resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read", "resources-subscribe",
    "resources-unsubscribe", "completion-complete", "logging-set-level"
  ],
  "sessions and resumable streams: the service is stateless": ["server-session-lifecycle", "server-sse-polling", "server-sse-multiple-streams"],
  "the tasks extension, which is optional": [
    "tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal", "tasks-mrtr-input",
    "tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-status-notifications", "tasks-required-task-error", "tasks-mrtr-composition"
  ],
  "a tool with x-mcp-header arguments": ["http-custom-header-server-validation"]
}

/** Single checks within scenarios that are run, which call such a tool or ask for prompts and resources all the same. */
const CHECKS_THAT_NEED_FIXTURES: Record<string, ReadonlyArray<string>> = {
  "server-stateless": [
    "sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream", "sep-2575-server-no-log-without-loglevel"
  ],
  caching: ["sep-2549-prompts-list-caching-hints", "sep-2549-resources-list-caching-hints", "sep-2549-resources-templates-list-caching-hints"]
}

const failed = (checks: ReadonlyArray<Check>) => checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id)
const passed = (checks: ReadonlyArray<Check>) => checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id)

layer(serviceWith(), { excludeTestServices: true })("conformance", (it) => {
  for (const [revision, scenarios] of Object.entries(RUN)) {
    it.effect(`a server of ${revision}`, () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { bearer } = yield* service.account()
        const results = yield* Effect.promise(() => serverChecks(service.port, bearer.authorization, revision))
        for (const name of scenarios) {
          const checks = results.get(name) ?? assert.fail(`${name} did not run`)
          assert.isNotEmpty(passed(checks), name)
          assert.sameMembers(failed(checks), [...CHECKS_THAT_NEED_FIXTURES[name] ?? []], `${name} ${JSON.stringify(checks.filter(({ status }) => status === "FAILURE"))}`)
        }
        const beyond = new Set(Object.values(NEED_FIXTURES).flat())
        for (const [name, checks] of results) {
          assert.isTrue(scenarios.includes(name) || beyond.has(name), `${name} is new: run it, or say what it needs`)
          // Even its answers about missing things are well-formed.
          assert.notInclude(failed(checks), "wire-schema-valid", name)
        }
      }))
  }

  it.effect("an authorization server", () =>
    Effect.gen(function*() {
      const service = yield* Service
      const { email } = yield* service.account()
      const session = yield* signIn(service, email)
      const port = yield* Effect.promise(freePort)
      const redirect = `http://127.0.0.1:${port}/callback`
      const { client_id } = (yield* register(service, { redirect_uris: [redirect] })).json as { client_id: string }
      const results = yield* Effect.promise(() =>
        authorizationChecks(`http://svc.localhost:${service.port}`, { id: client_id, port }, (address) =>
          consent(service, session, address).then((answer) => `${redirect}?${answer}`))
      )
      assert.sameMembers([...results.keys()], ["authorization-server-metadata-endpoint", "authorization-code-grant"])
      for (const [name, checks] of results) {
        assert.isNotEmpty(passed(checks), name)
        assert.deepStrictEqual(checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO"), [], name)
      }
    }))
})
