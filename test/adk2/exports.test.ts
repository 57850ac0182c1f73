import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { exportsOf } from "./exports-of.mjs"

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Replacements for exports of ADK that this package does not have. The first matching pattern applies. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/A2A|AGENT_CARD|bearerToken/i, "serve workflows over [A2A](serving.md)"],
  [/MCP/i, "[MCP tools](models.md) of an adapter"],
  [/Skill/, "a toolset"],
  [
    /OpenApi|OpenAPI|RestApi|Operation|ApiParameter/,
    "[an OpenAPIToolset](config.md#openapi-documents)",
  ],
  [
    /Auth|Credential|OAuth|OpenId|ServiceAccount|Http(Auth|Cred)/,
    "secrets by name ([security](security.md))",
  ],
  [/Processor/, "`beforeModelCallback` or `afterModelCallback`"],
  [
    /Compact|Summarizer|TrajectoryThought|ConsolidateContext|Scratchpad/,
    "`TruncatingContextCompactor` or `TokenBasedContextCompactor`",
  ],
  [/Code|Environment|ExecutionResult/, "a tool that executes code in your own environment"],
  [/Gemini|Apigee|GoogleLLM|isGoogleApi/, "a [model adapter](models.md)"],
  [
    /SessionService|createSession|SessionRequest/,
    "`InMemorySessionService`, or a [session store](sessions.md)",
  ],
  [/ArtifactService|Artifact/, "artifacts in the session ([sessions](sessions.md))"],
  [/Telemetry|Otel|Gcp|Exporter/i, "[OpenTelemetry](observability.md)"],
  [/Vertex|GCP|AgentRegistry|ProtocolType/, "no replacement: a service of Google"],
  [/Live|Streaming|Transcription|AsyncQueue/, "no replacement: audio and video"],
  [/Feature/, "no replacement: switches of ADK's own engine"],
]

const replacementFor = (name: string): string =>
  replacements.find(([pattern]) => pattern.test(name))?.[1] ?? "not available"

/** Classes whose constructors throw, so that a program which imports them names the replacement. */
const unavailable: ReadonlySet<string> = new Set(["ApigeeLlm", "Gemini"])

function table(): string {
  const { version, exports } = JSON.parse(readFileSync(pathOf("./adk-exports.json"), "utf8")) as {
    readonly version: string
    readonly exports: Readonly<Record<string, "value" | "type">>
  }
  const own = new Map(
    [...exportsOf(pathOf("../../src/adk/index.ts"))].filter(([name]) => !unavailable.has(name)),
  )
  const rows = Object.entries(exports).map(([name, kind]) => {
    const isTypeOnly = kind === "value" && own.get(name) === "type"
    const here = isTypeOnly ? "as a type" : own.has(name) ? "yes" : "no"
    return `| \`${name}\` | ${kind} | ${here} | ${own.has(name) ? "" : replacementFor(name)} |`
  })
  const count = Object.keys(exports).filter((name) => own.has(name)).length
  return [
    `\`@google/adk\` ${version} has ${rows.length} exports. \`agent-statecharts/adk\` has ${count} of them.`,
    "",
    "| Export | Kind | Available | Use instead |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n")
}

const start = "<!-- exports of ADK; npm run docs:adk updates this table -->\n\n"

test("docs/adk-exports.md lists every export of the pinned version of ADK", async () => {
  const page = readFileSync(pathOf("../../docs/adk-exports.md"), "utf8")
  const [before = ""] = page.split(start)
  await expect(before + start + table()).toMatchFileSnapshot(pathOf("../../docs/adk-exports.md"))
})
