import { describe, expect, onTestFinished, test } from "vitest"
import { createHttpServices } from "../../../src/adapters/http/index.js"
import { startScriptedService } from "../../../src/adapters/scripted/index.js"
import type { AgentChart } from "../../../src/machines/contract/agent-chart.js"
import type { ChartMachine } from "../../../src/machines/contract/chart-machine.js"
import { compiledMachines } from "../../../src/runtime/driver/compiled-machine.js"
import { createRunner, memoryJournal, runAt, collectCoverage } from "../../../src/runtime/index.js"
import type { ChartTransitionPart, RunControls, StoredRun } from "../../../src/runtime/index.js"
import { statesOf } from "../../../src/runtime/history/chart-parts.js"
import { markedProgram } from "../../../src/runtime/history/instrumented-program.js"
import { pastRun } from "../../../src/runtime/history/replayed-run.js"
import { loadProgram } from "../../../src/runtime/program/load-program.js"
import { give } from "../../examples/give-answer.js"
import { examples } from "../../examples/example-folder.js"
import { scriptedCalls } from "../../examples/scripted-calls.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { chartOf, human, llm, loop, parallel, sequence } from "../../support/workflow.js"

const chart = chartOf([
  sequence("line", [
    "writer",
    { agentId: "editor", when: "session_state['writer_text'] == 'long'" },
  ]),
  llm("writer"),
  llm("editor"),
])

type Script = Parameters<typeof scriptedServices>[0]

let played = 0

/** Executes a run until it ends or waits. */
async function play(
  of: AgentChart,
  script: Script,
  act: (run: RunControls) => void = () => {},
): Promise<StoredRun> {
  const journal = memoryJournal()
  const runId = `r${played++}`
  const run = createRunner({ ...scriptedServices(script), journal }).start(of, { runId })
  await run.whenSettled()
  act(run)
  await run.whenSettled()
  return journal.load(runId) as StoredRun
}

const words = ({ from, cause, guard, to }: ChartTransitionPart): string =>
  `${from} ${cause} ${guard ?? "-"} ${to ?? "-"}`

describe("the coverage of runs", () => {
  test("a run covers only the states that it entered and the transitions that it took", async () => {
    const collector = collectCoverage(chart)
    expect(collector.coverage()).toMatchObject({
      runs: 0,
      states: { reached: 0 },
      transitions: { reached: 0 },
    })
    expect(collector.add(await play(chart, { writer: [{ content: "short" }] }))).toBe(true)
    const { runs, states, transitions, exceptional } = collector.coverage()
    expect(runs).toBe(1)
    expect(states.missing.map(({ state }) => state)).toEqual([
      "line.editor",
      "exited",
      "escalated",
      "failed",
    ])
    expect(transitions.missing.map(words)).toEqual([
      "line.writer ended exited exited",
      "line.writer ended escalated escalated",
      "line.writer ended - failed",
      "line.when_editor entered conditionHolds session_state['writer_text'] == 'long' line.editor",
      "line.when_editor entered conditionFails failed",
      "line.editor ended completed line.done",
      "line.editor ended exited exited",
      "line.editor ended escalated escalated",
      "line.editor ended - failed",
    ])
    expect(transitions.reached + transitions.missing.length).toBe(transitions.of)
    expect(exceptional.states.missing.map(({ state }) => state)).toEqual(["limited", "stopped"])
    expect(exceptional.transitions.reached).toBe(0)
  })

  test("each run adds to the coverage until all reachable transitions are covered", async () => {
    const collector = collectCoverage(chart)
    const text = { content: "long" }
    const exit = { content: "Enough.", exitFlow: true }
    const failure = { status: 400 }
    const scripts: readonly Script[] = [
      { writer: [{ content: "short" }] },
      { writer: [text], editor: [text] },
      { writer: [text], editor: [exit] },
      { writer: [text], editor: [failure] },
      { writer: [exit] },
      { writer: [failure] },
    ]
    let before = 0
    for (const script of scripts) {
      collector.add(await play(chart, script))
      const { transitions } = collector.coverage()
      expect(transitions.reached).toBeGreaterThan(before)
      before = transitions.reached
    }
    // These agents have no tool that escalates, and the key of the condition exists.
    expect(collector.coverage().transitions.missing.map(({ guard }) => guard)).toEqual([
      "escalated",
      "conditionFails",
      "escalated",
    ])
  })

  test("a run of another chart is rejected and does not count", async () => {
    const other = chartOf([llm("writer")])
    const collector = collectCoverage(other)
    expect(collector.add(await play(chart, { writer: [{ content: "short" }] }))).toBe(false)
    expect(collector.coverage().runs).toBe(0)
  })

  test("the states and transitions of a stopped run are counted separately", async () => {
    const asking = chartOf([sequence("line", ["boss", "clerk"]), human("boss"), llm("clerk")])
    const collector = collectCoverage(asking)
    collector.add(await play(asking, {}, (run) => run.cancel()))
    const { states, exceptional } = collector.coverage()
    expect(states.missing.map(({ state }) => state)).toContain("line.clerk")
    expect(exceptional.states.missing.map(({ state }) => state)).not.toContain("stopped")
    expect(exceptional.transitions.reached).toBeGreaterThan(0)
  })

  test("an interrupted run counts towards the coverage", async () => {
    const { header, records } = await play(chart, {
      writer: [{ content: "long" }],
      editor: [{ content: "done" }],
    })
    const collector = collectCoverage(chart)
    collector.add({ header, records: records.slice(0, 1) })
    expect(collector.coverage().states.missing.map(({ state }) => state)).not.toContain(
      "line.editor",
    )
    expect(collector.coverage().states.missing.map(({ state }) => state)).toContain("line.done")
  })

  test("a run covers the transitions of its iterations and branches", async () => {
    const rounds = chartOf([
      loop("rounds", ["both"], 2),
      parallel("both", ["left", "right"]),
      llm("left"),
      llm("right"),
    ])
    const collector = collectCoverage(rounds)
    const twice = [{ content: "a" }, { content: "b" }]
    collector.add(await play(rounds, { left: twice, right: twice }))
    const missing = collector.coverage().transitions.missing.map(words)
    expect(
      missing.filter(
        (line) =>
          line.includes("maximumReached") ||
          / ended completed /.test(line) ||
          / entered - /.test(line),
      ),
    ).toEqual([])
  })
})

/** The machines of a chart and of the workflows inside its nodes. */
const machinesOf = ({ machines, charts }: AgentChart): readonly ChartMachine[] => [
  ...Object.values(machines),
  ...Object.values(charts ?? {}).flatMap(machinesOf),
]

test.each(examples)(
  "$name: an instrumented program has the same result and covers every state of the run",
  async ({ name, chart: stored, services, scenario, answers }) => {
    const of = stored as AgentChart
    const service = await startScriptedService(scenario)
    const http = createHttpServices({ dispatcher: service.dispatcher() })
    const journal = memoryJournal()
    const runner = createRunner({ ...scriptedCalls({ chart: of, services }, http), journal })
    onTestFinished(async () => {
      await runner.close()
      await http.close()
      await service.close()
    })
    const run = runner.start(of, { runId: name })
    for (const answer of answers) {
      await run.whenSettled()
      give(answer, run)
    }
    await run.whenSettled()
    const played = journal.load(name) as StoredRun
    const machine = compiledMachines(
      markedProgram(loadProgram(of), { entered: () => {}, took: () => {} }),
    )
    const marked = pastRun({ header: played.header, past: played.records, machine })
    const plain = pastRun({ header: played.header, past: played.records })
    expect(marked.events).toEqual(plain.events)
    expect(marked.run.snapshot()).toEqual(plain.run.snapshot())
    const collector = collectCoverage(of)
    collector.add(played)
    const coverage = collector.coverage()
    const missing = new Set(
      [...coverage.states.missing, ...coverage.exceptional.states.missing].map(
        (part) => `${part.machine}.${part.state}`,
      ),
    )
    const seen = played.records.flatMap((_, at) =>
      runAt(played, { at }).machines.flatMap((one) =>
        Object.hasOwn(of.machines, one.machine)
          ? one.states.map((state) => `${one.machine}.${state}`)
          : [],
      ),
    )
    expect(seen.filter((state) => missing.has(state))).toEqual([])
    const { states, exceptional } = coverage
    expect(states.of + exceptional.states.of).toBe(
      machinesOf(of).reduce((sum, each) => sum + [...statesOf(each)].length, 0),
    )
  },
)
