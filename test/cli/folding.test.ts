import { expect, test } from "vitest"
import { AgentTree } from "../../src/cli/progress/agent-tree.js"
import { treeRows } from "../../src/cli/progress/tree-rows.js"
import { createPaint } from "../../src/cli/terminal/paint.js"
import { compile } from "../../src/compiler/compile.js"
import { createRunner } from "../../src/runtime/index.js"

const ids = (prefix: string): readonly string[] =>
  Array.from({ length: 30 }, (_, index) => `${prefix}${index}`)
const refs = (names: readonly string[]): readonly { readonly agentId: string }[] =>
  names.map((agentId) => ({ agentId }))

/** Returns the live view of a run of 94 agents, while two of them call their models and one has failed. */
async function viewWith(rows: number): Promise<readonly string[]> {
  const names = ["early", "busy", "late"]
  const { chart } = compile({
    rootAgentId: "line",
    agents: [
      { type: "SequentialAgent", id: "line", subAgents: refs(names) },
      ...names.flatMap((name) => [
        {
          type: "ParallelAgent",
          id: name,
          subAgents: refs(ids(name)),
          failurePolicy: "collect",
        },
        ...ids(name).map((id) => ({ type: "LlmAgent", id, model: "m" })),
      ]),
    ],
  })
  if (chart === null) throw new Error("the chart does not compile")
  const tree = new AgentTree(chart)
  const m = {
    async call(
      { agent }: { readonly agent: string },
      { signal }: { readonly signal: AbortSignal },
    ) {
      if (agent === "busy5") throw new Error("the model is gone")
      if (agent !== "busy7" && agent !== "busy20") return { content: "ready" }
      return new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      )
    },
  }
  const runner = createRunner({ models: { m } })
  const run = runner.start(chart)
  await new Promise<void>((resolve) => {
    let done = 0
    run.events$.subscribe((event) => {
      tree.update(event)
      if (event.type === "agent.finished" && event.agent.startsWith("busy") && ++done === 28)
        resolve()
    })
  })
  const lines = treeRows(tree, { now: 0, tick: 0, columns: 80, rows, paint: createPaint(false) })
  run.cancel()
  await run.result
  return lines
}

test("the live view of a large run folds finished and idle agents, but not active and failed agents", async () => {
  const lines = await viewWith(20)
  const text = lines.map((line) => line.replace(/ {2,}.*/, ""))
  expect(text).toEqual([
    "◐ line",
    "├ ✔ early",
    "├ ◐ busy",
    "│ ├ ✔ 5 finished",
    "│ ├ ✖ busy5",
    "│ ├ ✔ busy6",
    "│ ├ ◐ busy7",
    "│ ├ ✔ 12 finished",
    "│ ├ ◐ busy20",
    "│ └ ✔ 9 finished",
    "└ · late",
  ])
  expect(lines[1]).toContain("parallel, 30 agents inside")
})

test("a screen that is too small for all agents shows the active and failed agents", async () => {
  const lines = await viewWith(7)
  expect(lines).toHaveLength(5)
  const text = lines.join("\n")
  for (const id of ["busy5", "busy7", "busy20"]) expect(text).toContain(id)
  expect(text).toContain("… 90 more agents")
})

test("a run that fits the screen is not folded", async () => {
  const lines = await viewWith(120)
  expect(lines).toHaveLength(94)
  expect(lines.join("\n")).not.toContain("finished")
})

test("the branches of a list share one row, and their block shows how many have ended", async () => {
  const { chart } = compile({
    rootAgentId: "all",
    agents: [
      {
        type: "ParallelAgent",
        id: "all",
        subAgents: refs(["worker"]),
        forEach: { items: "list(range(1000))", collect: { out: "done" } },
        failurePolicy: "collect",
      },
      { type: "LlmAgent", id: "worker", model: "m", outputKey: "done" },
    ],
    maxModelCalls: 2_000,
  })
  if (chart === null) throw new Error("the chart does not compile")
  const tree = new AgentTree(chart)
  const m = {
    async call(
      { state }: { readonly state: Readonly<Record<string, unknown>> },
      { signal }: { readonly signal: AbortSignal },
    ) {
      if (state["item"] === 3) throw new Error("the model is gone")
      if (Number(state["item"]) < 600) return { content: "ready" }
      return new Promise<never>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      )
    },
  }
  const run = createRunner({ models: { m } }).start(chart)
  await new Promise<void>((resolve) => {
    let done = 0
    run.events$.subscribe((event) => {
      tree.update(event)
      if (event.type === "agent.finished" && event.agent === "worker" && ++done === 600) resolve()
    })
  })
  const show = (): readonly string[] =>
    treeRows(tree, { now: 0, tick: 0, columns: 80, rows: 20, paint: createPaint(false) })
  const [block, worker, ...others] = show()
  expect(block).toContain("600 of 1000 branches ended, 1 failed")
  expect(worker).toMatch(/^└ ◐ worker/)
  expect(others).toEqual([])
  run.cancel()
  await run.result
})
