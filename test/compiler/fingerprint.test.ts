import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { startScriptedService } from "../../src/adapters/scripted/index.js"
import { checkFingerprint } from "../../src/adapters/journal/check-fingerprint.js"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { compile, folderOf } from "../../src/compiler/index.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { fingerprintText } from "../../src/machines/contract/fingerprint-text.js"
import {
  chartDifference,
  compatible,
  createRunner,
  memoryJournal,
} from "../../src/runtime/index.js"

const graph = (instructions: string): AgentChart =>
  compileOrThrow({
    nodes: [
      {
        id: "write",
        type: "adk",
        config: {
          rootAgentId: "writer",
          agents: [
            {
              type: "LlmAgent",
              id: "writer",
              instructions,
              httpConfig: { url: "http://llm.test/writer", method: "POST" },
            },
          ],
          initialUserInput: "go",
        },
      },
      {
        id: "approve",
        type: "confirmation",
        dependencies: ["write"],
      },
    ],
  }) as AgentChart

/** Returns the chart with the fingerprint that earlier versions computed. */
function withEarlierFingerprint(chart: AgentChart): AgentChart {
  const { charts: _charts, workflows: _workflows, ...own } = chart
  const fingerprint = createHash("sha256").update(fingerprintText(own)).digest("hex")
  expect(fingerprint).not.toBe(chart.fingerprint)
  return { ...chart, fingerprint }
}

describe("the fingerprint of a chart", () => {
  test("changes with the workflow of a graph node", () => {
    expect(graph("Write.").fingerprint).toBe(graph("Write.").fingerprint)
    expect(graph("Rewrite.").fingerprint).not.toBe(graph("Write.").fingerprint)
  })

  test("changes with a called workflow file", () => {
    const called = (instruction: string): string | undefined =>
      compile(
        folderOf({
          "root_agent.yaml": "agent_class: WorkflowAgent\nname: ask\nworkflow_file: writer.yaml\n",
          "writer.yaml": `name: writer\nmodel: large\ninstruction: ${instruction}\n`,
        }),
      ).chart?.fingerprint
    expect(called("Write.")).toMatch(/^[0-9a-f]{64}$/)
    expect(called("Rewrite.")).not.toBe(called("Write."))
  })

  test("of an earlier version is accepted, but a damaged graph node is not", () => {
    const stored = withEarlierFingerprint(graph("Write."))
    checkFingerprint(stored, "runs/a.jsonl")
    const damaged = JSON.parse(JSON.stringify(stored).replace("Write.", "Right.")) as AgentChart
    expect(() => checkFingerprint(damaged, "runs/a.jsonl")).toThrow(
      expect.objectContaining({
        code: "journal_corrupt",
        message: expect.stringContaining('runs/a.jsonl, workflow "write"') as string,
      }),
    )
  })
})

test("chartDifference and compatible describe the changed agents of a graph node", () => {
  const line = 'graph node "write": agent "writer": instructions was "Write." and is now "Rewrite."'
  expect(chartDifference(graph("Write."), graph("Rewrite."))).toEqual([line])
  expect(compatible(graph("Write."), graph("Rewrite."))).toMatchObject({
    verdict: "adoptable",
    differences: [line],
  })
  const stored = withEarlierFingerprint(graph("Write."))
  expect(compatible(stored, graph("Write.")).verdict).toBe("identical")
})

test("chartDifference describes added and removed graph nodes with any id", () => {
  const before = graph("Write.")
  const { write } = before.charts as { readonly write: AgentChart }
  const after = { ...before, charts: { constructor: write } }
  expect(chartDifference(before, after)).toEqual([
    'graph node "write" was removed',
    'graph node "constructor" was added',
  ])
})

test("a run resumes with an equal chart of an earlier version, but not with an edited graph node", async () => {
  const journal = memoryJournal()
  const service = await startScriptedService({ llm: { writer: [{ content: "Done." }] } })
  const http = createHttpServices({ dispatcher: service.dispatcher() })
  const runner = createRunner({ journal, http })
  await runner.start(withEarlierFingerprint(graph("Write.")), { runId: "r1" }).whenSettled()
  await runner.close()
  const other = createRunner({ journal, http })
  await expect(other.resume("r1", { chart: graph("Rewrite.") })).rejects.toMatchObject({
    code: "chart_differs",
    message: expect.stringContaining('graph node "write": agent "writer": instructions') as string,
  })
  expect((await other.resume("r1", { chart: graph("Write.") })).runId).toBe("r1")
  await other.close()
  await http.close()
  await service.close()
})
