import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { loadServices } from "../../src/cli/services/load-services.js"
import { makePlan } from "../../src/cli/test-plan/make-plan.js"
import { planReport } from "../../src/cli/test-plan/plan-report.js"
import { promptOf } from "../../src/cli/test-plan/play-choices.js"
import { playScript } from "../../src/cli/test-plan/play-script.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { memoryJournal, collectCoverage } from "../../src/runtime/index.js"
import { projectFolder } from "../docs/markdown-blocks.js"
import { caseCount, playsAllCases } from "../support/random-cases.js"
import { chartOf, human, llm, loop, parallel, sequence } from "../support/workflow.js"
import { cli, folderWith, isBuilt, samples } from "./command.js"
import { planIndex, playPlan } from "./play-plan.js"

const patient = { timeout: 600_000 }

const planOf = (chart: AgentChart) => makePlan({ chart, services: {} }, caseCount(120, 500))

describe("a plan", patient, () => {
  test("a plan takes every transition of sequences, branches and loops that a response can reach", async () => {
    const chart = chartOf([
      sequence("line", [
        "rounds",
        "both",
        { agentId: "editor", when: "session_state['left_text'] == 'revise'" },
      ]),
      loop("rounds", ["critic"], 3, {
        loopExitCondition: "session_state['critic_text'] == 'fine'",
      }),
      parallel("both", ["left", "right"], { failurePolicy: "collect" }),
      ...["critic", "left", "right", "editor"].map((id) => llm(id)),
    ])
    const plan = await planOf(chart)
    const { missing } = planReport(chart, plan)
    expect(missing.filter(({ transition }) => !transition.includes("conditionFails"))).toEqual([])
    expect(missing.every(({ why }) => why === "no tested value makes the condition fail")).toBe(
      true,
    )
    const taken = plan.runs.flatMap(({ adds }) =>
      adds.map(({ guard }) => guard?.split(" ")[0] ?? "-"),
    )
    for (const guard of [
      "completed",
      "exited",
      "escalated",
      "exitConditionHolds",
      "maximumReached",
      "conditionHolds",
      "branchEscalated",
    ])
      expect(taken).toContain(guard)
  })

  test("a plan covers handoffs, and starts a run with the state that a condition requires", async () => {
    const chart = chartOf([
      sequence("line", [{ agentId: "desk", when: "session_state.get('level', 0) > 3" }, "boss"]),
      llm("desk", { subAgents: [llm("one"), llm("two")] }),
      human("boss"),
    ])
    const plan = await planOf(chart)
    const { missing } = planReport(chart, plan)
    expect(missing.map(({ why }) => why)).toContain(
      "it requires a request that expires, and scenarios do not wait",
    )
    expect(missing.filter(({ transition }) => transition.includes("handsOffTo"))).toEqual([])
    expect(plan.runs.some(({ script }) => script.state["level"] === 4)).toBe(true)
    expect(plan.runs.some(({ status }) => status === "cancelled")).toBe(true)
  })

  test("a plan does not wait for the duration of a WaitAgent", async () => {
    const pause = { type: "WaitAgent", id: "pause", duration: "24h" }
    const chart = chartOf([sequence("line", ["pause", "a"]), pause, llm("a")])
    const { runs, unsteady } = await planOf(chart)
    expect(unsteady).toEqual([])
    expect(runs.map(({ status }) => status)).toContain("completed")
  })

  test("each scenario of a plan adds coverage, and a plan tries at most the allowed number of runs", async () => {
    const chart = chartOf([sequence("line", ["a", "b"]), llm("a"), llm("b")])
    const collector = collectCoverage(chart)
    let before = 0
    for (const { script, status } of (await planOf(chart)).runs) {
      const journal = memoryJournal()
      const again = await playScript(
        chart,
        { ...script, prompt: promptOf(chart) },
        { services: {}, journal },
      )
      expect(again.status).toBe(status)
      const stored = await journal.load(again.runId)
      if (stored !== null) collector.add(stored)
      const { states, transitions, exceptional } = collector.coverage()
      const now =
        states.reached +
        transitions.reached +
        exceptional.states.reached +
        exceptional.transitions.reached
      expect(now).toBeGreaterThan(before)
      before = now
    }
    expect((await makePlan({ chart, services: {} }, 1)).runs).toHaveLength(1)
  })
})

/** The search for the handoffs of this example needs 500 runs, which take a third of the time of this file. */
const needsManyRuns = "agent-handoff"

/** The other transitions require two events at once, an expired request, or a condition that fails. */
test(
  "the plans of all examples cover at least 95 % of the transitions, and each plan at least 80 %",
  patient,
  async () => {
    const examples = join(projectFolder, "examples")
    const names = readdirSync(examples).filter(
      (name) =>
        existsSync(join(examples, name, "chart.json")) && (playsAllCases || name !== needsManyRuns),
    )
    expect(names.length).toBeGreaterThan(20)
    const sum = { reached: 0, of: 0 }
    for (const name of names) {
      const chart = JSON.parse(
        readFileSync(join(examples, name, "chart.json"), "utf8"),
      ) as AgentChart
      const module = join(examples, name, "services.mjs")
      const { services = {} } = existsSync(module) ? await loadServices(module) : {}
      const { runs, coverage, unsteady } = await makePlan(
        { chart, services },
        name === needsManyRuns ? 500 : 40,
      )
      const { reached, of } = coverage.transitions
      console.log(
        `${name}: ${runs.length} scenarios take ${reached} of ${of} transitions (${Math.floor((100 * reached) / of)} %)`,
      )
      expect(unsteady, name).toEqual([])
      expect(reached / of, name).toBeGreaterThanOrEqual(0.8)
      sum.reached += reached
      sum.of += of
    }
    console.log(
      `together: ${sum.reached} of ${sum.of} (${Math.floor((100 * sum.reached) / sum.of)} %)`,
    )
    expect(sum.reached / sum.of).toBeGreaterThanOrEqual(0.95)
  },
)

describe.skipIf(!isBuilt)("agent-statecharts test-plan", patient, () => {
  test("the scenarios that -o writes reach the coverage in index.json when they are run", async () => {
    const cwd = folderWith({
      ...samples,
      "loop.json": readFileSync(join(projectFolder, "examples/content-loop/workflow.json"), "utf8"),
    })
    const made = await cli(["test-plan", "loop.json", "-o", "plan"], { cwd })
    expect(made.code).toBe(0)
    expect(made.stdout).toBe("")
    expect(readFileSync(join(projectFolder, "docs/coverage.md"), "utf8")).toContain(
      `\`\`\`text\n${made.stderr}\`\`\`\n`,
    )
    expect(made.stderr).toContain(
      "not covered: #quality_loop.quality_loop.checking: entered, conditionFails -> failed (no tested value makes the condition fail)",
    )
    const index = planIndex(cwd)
    expect(index.scenarios.length).toBeGreaterThan(5)
    expect(await playPlan(index, cwd)).toMatchObject({
      runs: index.scenarios.length,
      transitions: { reached: index.transitions.reached, of: index.transitions.of },
    })
  })

  test("the commands in index.json quote a folder whose name contains a space", async () => {
    const cwd = folderWith(samples)
    await cli(["test-plan", "human.json", "--most", "3", "-o", "my plan"], { cwd })
    const index = JSON.parse(readFileSync(join(cwd, "my plan/index.json"), "utf8")) as {
      readonly coverage: string
    }
    expect(index.coverage).toBe("agent-statecharts coverage human.json 'my plan/runs'")
  })

  test("without -o, test-plan prints the plan as JSON, including the answers of people", async () => {
    const cwd = folderWith(samples)
    const { code, stdout } = await cli(["test-plan", "human.json", "--most", "40"], { cwd })
    expect(code).toBe(0)
    const { chart, scenarios } = JSON.parse(stdout) as {
      readonly chart: string
      readonly scenarios: readonly { readonly answers: readonly unknown[]; readonly llm: object }[]
    }
    expect(chart).toBe("line")
    expect(scenarios[0]).toMatchObject({
      name: "default",
      status: "completed",
      exitCode: 0,
      state: {},
      llm: { clerk: [{ content: "ok" }] },
      answers: [{ answer: "ok" }],
    })
  })

  test("an invalid config, a missing host function and an invalid --most exit with code 2", async () => {
    const cwd = folderWith(samples)
    expect((await cli(["test-plan", "broken.json"], { cwd })).code).toBe(2)
    const unserved = await cli(
      ["test-plan", join(projectFolder, "examples/adk-story-flow/workflow.json")],
      { cwd },
    )
    expect(unserved).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/needs the host function "\w+".*--services/s) as string,
    })
    expect((await cli(["test-plan", "pair.json", "--most", "0"], { cwd })).code).toBe(2)
  })
})
