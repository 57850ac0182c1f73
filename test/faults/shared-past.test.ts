import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { withCertifyOptions } from "../../src/cli/faults/certify-options.js"
import { compile } from "../../src/compiler/index.js"
import { certify, type CertifyOptions } from "../../src/faults/certify.js"
import type { FaultReport } from "../../src/faults/contract/certificate.js"
import type { ScriptedAnswer } from "../../src/faults/run/people.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { RunControls } from "../../src/runtime/run/run-controls.js"
import type { RunMessage } from "../../src/runtime/run/run-message.js"
import { examples } from "../examples/example-folder.js"
import { type ScriptedWorkflow, scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { caseCount, randomCases, seed } from "../support/random-cases.js"
import { chartOf } from "../support/workflow.js"

// A run with a fault begins from the records that it shares with the run without faults. These
// tests check that the report is the same if each run begins at its start.

const reportsOf = async (
  options: CertifyOptions,
): Promise<{ readonly shared: FaultReport; readonly whole: FaultReport }> => ({
  shared: await certify(options),
  whole: await certify({ ...options, sharesPast: false }),
})

/** Certifies the workflow of a folder, with the files next to it. */
const reportsOfFolder = (
  folder: string,
  chart: AgentChart | null,
): ReturnType<typeof reportsOf> => {
  if (chart === null) throw new Error(`${folder} does not compile`)
  const file = (name: string): string | undefined =>
    existsSync(join(folder, name)) ? join(folder, name) : undefined
  const files = { answers: file("answers.json"), services: file("services.mjs") }
  const given = Object.fromEntries(Object.entries(files).filter(([, name]) => name !== undefined))
  const options = {
    scripted: join(folder, "scenario.json"),
    ...given,
    most: caseCount(12, 30),
    policy: [],
  }
  return withCertifyOptions({ file: folder, chart, input: {}, policies: [], options }, reportsOf)
}

const vectors = join(import.meta.dirname, "vectors")

test.each(readdirSync(vectors))(
  "the report of the vector %s is the same if each run begins at its start",
  async (name) => {
    const folder = join(vectors, name)
    const { chart } = compile(readFileSync(join(folder, "workflow.json"), "utf8"))
    const { shared, whole } = await reportsOfFolder(folder, chart)
    expect(shared).toEqual(whole)
  },
)

const certified = examples.filter(
  ({ name, hasServices }) =>
    !hasServices &&
    existsSync(join(import.meta.dirname, "../../examples", name, "faults.certificate.json")),
)

test.each(certified)(
  "the report of the example $name is the same if each run begins at its start",
  async ({ name, chart }) => {
    const folder = join(import.meta.dirname, "../../examples", name)
    // A test compares the stored chart with the workflow: test/examples/examples.test.ts.
    const { shared, whole } = await reportsOfFolder(folder, chart as AgentChart)
    expect(shared).toEqual(whole)
  },
)

/** A person who approves, answers or delivers what the oldest request needs. */
const person: ScriptedAnswer = { message: firstAnswer, isForIdleRun: false, isUnaddressed: false }

function firstAnswer(run: RunControls): RunMessage {
  const [request] = run.pending()
  if (request === undefined) throw new Error("nothing is pending")
  const { id, kind, choices, toolCalls } = request
  switch (kind) {
    case "approval":
      return { type: "approve", id }
    case "tool":
      return { type: "deliver", callId: toolCalls?.[0]?.id ?? id, result: { delivered: true } }
    case "auth":
      return { type: "answer", id, value: { secret: "KEY" } }
    case "input":
      return { type: "say", content: "go on", request: id }
    case "human":
      return { type: "answer", id, value: choices?.[0] ?? "ok" }
  }
}

/** Random workflows write an HTTP error as `{ status }`. */
const responseOf = (answer: object): object =>
  "status" in answer ? { httpStatus: answer.status } : answer

/** A scenario with the responses of a random workflow. The delays let answers overtake each other. */
function scenarioOf({ models, tools }: ScriptedWorkflow): Readonly<Record<string, unknown>> {
  const entries = (answers: readonly unknown[]): readonly unknown[] =>
    answers
      .filter((answer) => typeof answer === "object" && !Array.isArray(answer))
      .map((answer, index, all) => ({
        ...responseOf(answer as object),
        delayMs: ((index * 7) % 3) * 10,
        ...(index === all.length - 1 ? { repeat: true } : {}),
      }))
  const lists = (scripts: ScriptedWorkflow["models"]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(Object.entries(scripts).map(([id, answers]) => [id, entries(answers)]))
  return { llm: lists(models), tools: lists(tools), notIdempotent: ["find"] }
}

describe("random workflows", () => {
  test("the reports of random workflows are the same if each run begins at its start", async () => {
    let records = 0
    await fc.assert(
      fc.asyncProperty(scriptedWorkflow, async (workflow) => {
        const { shared, whole } = await reportsOf({
          chart: chartOf(workflow.agents, { initialUserInput: "go", ...workflow.fields }),
          input: {},
          scenario: scenarioOf(workflow),
          people: Array.from({ length: 4 }, () => person),
          answers: [],
          load: () => Promise.resolve({}),
          most: 75,
        })
        records += shared.baseline.records
        expect(shared).toEqual(whole)
      }),
      { seed, numRuns: randomCases(100) },
    )
    // The runs have records, so they have a past that can be shared.
    expect(records).toBeGreaterThan(randomCases(100))
  })
})
