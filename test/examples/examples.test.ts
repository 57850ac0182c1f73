import { join } from "node:path"
import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { openFolder } from "../../src/adapters/files/index.js"
import { createHttpServices } from "../../src/adapters/http/index.js"
import type { RequestRecord } from "../../src/adapters/scripted/index.js"
import { startScriptedService } from "../../src/adapters/scripted/index.js"
import { compile } from "../../src/compiler/index.js"
import { drawMermaid, drawSvg } from "../../src/drawing/index.js"
import type { AgentChart } from "../../src/machines/index.js"
import type { CallServices, RunControls } from "../../src/runtime/index.js"
import { controlActor, createRunner, toMachine } from "../../src/runtime/index.js"
import type { Example } from "./example-folder.js"
import { examples, examplesFolder } from "./example-folder.js"
import { give } from "./give-answer.js"
import { scriptedCalls } from "./scripted-calls.js"

test("the examples folder contains the expected examples", () => {
  expect(examples.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "adk-capital-agent",
      "adk-story-flow",
      "adk-workflow-graph",
      "adk-yaml-night-desk",
      "adk-yaml-team",
      "agent-handoff",
      "claims-pipeline",
      "content-loop",
      "customer-enrichment",
      "human-approval",
      "pull-request-review",
      "retries-and-errors",
      "support-agent",
      "travel-planner",
    ]),
  )
})

describe.each(examples)("the example $name", (example) => {
  const { workflow, scenario, answers, expected } = example
  const { chart, diagnostics } = compile(
    workflow,
    typeof workflow === "string"
      ? {
          file: "workflow.json",
          folder: openFolder(join(examplesFolder, example.name, "workflow.json")),
        }
      : {},
  )

  test("compiles without a warning", () =>
    expect(diagnostics.filter(({ severity }) => severity !== "hint")).toEqual([]))

  test("compiles to its stored chart", () => expect(chart).toEqual(example.chart))

  test("has the Mermaid drawing that is stored and shown in its README", () => {
    const drawing = drawMermaid(chart as AgentChart).trimEnd()
    expect(`${drawing}\n`).toBe(example.drawing)
    expect(example.readme).toContain(`\`\`\`mermaid\n${drawing}\n\`\`\``)
  })

  test.skipIf(example.svg === null)("has the SVG drawing that is stored", async () => {
    expect(await drawSvg(chart as AgentChart)).toBe(example.svg)
  })

  test("has a README with the command that runs it", () =>
    expect(example.readme).toContain(commandFor(example)))

  test.each([
    ["createRunner", startRun],
    ["createActor", startActor],
  ])("runs as expected through %s", async (_, start) => {
    const service = await startScriptedService(scenario)
    const http = createHttpServices({ dispatcher: service.dispatcher() })
    try {
      const run = start(chart as AgentChart, scriptedCalls(example, http))
      for (const answer of answers) {
        const { status } = await run.whenSettled()
        // In the adk dialect, a run is idle between two user messages.
        expect(status).toBe(
          "user" in answer && run.pending().length === 0 ? "completed" : "waiting",
        )
        give(answer, run)
      }
      const { status, text, state, error } = await run.whenSettled()
      expect(error).toBeNull()
      const calls = countOf(service.requests)
      const system = Object.fromEntries(
        Object.keys(expected.system ?? {}).map((agent) => [
          agent,
          systemTexts(service.requests, agent),
        ]),
      )
      expect({ status, text, state: withoutCounters(state), calls, system }).toEqual(
        withMatchers({ system: {}, ...expected }),
      )
      expect({ unused: service.unused(), beyond: service.exhausted }).toEqual({
        unused: [],
        beyond: [],
      })
    } finally {
      await http.close()
      await service.close()
    }
  })
})

function commandFor({ name, path, hasAnswers, hasServices }: Example): string {
  const files = [
    ...(hasServices ? [`--services examples/${name}/services.mjs`] : []),
    `--scripted examples/${name}/scenario.json`,
    ...(hasAnswers ? [`--answers examples/${name}/answers.json`] : []),
  ]
  return `npx agent-statecharts run ${path} ${files.join(" ")}\n`
}

const startRun = (chart: AgentChart, services: CallServices): RunControls =>
  createRunner(services).start(chart)

function startActor(chart: AgentChart, services: CallServices): RunControls {
  const actor = createActor(toMachine(chart, services), { input: {} })
  const controls = controlActor(actor)
  actor.start()
  return controls
}

/** `{"$contains": text}` matches any text that contains `text`. `{"$subset": {...}}` matches any object with these fields. */
function withMatchers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if ("$contains" in value) return expect.stringContaining(value.$contains as string)
  if ("$subset" in value) return expect.objectContaining(withMatchers(value.$subset) as object)
  if (Array.isArray(value)) return value.map(withMatchers)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withMatchers(inner)]))
}

const counters = [
  "_user_message_count",
  "orchestration_cycle_count",
  "current_agent_loop_iteration",
]

const withoutCounters = (state: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !counters.includes(key)))

/** Returns the system message of each call of an agent, or null for a call without one. */
function systemTexts(
  requests: readonly RequestRecord[],
  agent: string,
): readonly (string | null)[] {
  // Other tests check the format of model requests.
  const bodies = requests
    .filter(({ id }) => id === agent)
    .map(
      ({ body }) =>
        body as {
          readonly messages: readonly { readonly role: string; readonly content: string }[]
        },
    )
  return bodies.map(
    ({ messages }) => messages.find(({ role }) => role === "system")?.content ?? null,
  )
}

function countOf(requests: readonly RequestRecord[]): object {
  const calls: Record<string, number> = {}
  for (const { kind, id } of requests) if (kind === "llm") calls[id] = (calls[id] ?? 0) + 1
  return calls
}
