import { describe, expect, test } from "vitest"
import { playCassette, recordCassette } from "../../src/adapters/cassette/index.js"
import { createHttpServices } from "../../src/adapters/http/index.js"
import { startScriptedService } from "../../src/adapters/scripted/index.js"
import {
  evalSetFromRuns,
  evaluate,
  readEvalConfig,
  readEvalSet,
} from "../../src/evaluation/index.js"
import { taskGraphOf } from "../../src/machines/contract/graphs/task-graph-of.js"
import type { AgentChart } from "../../src/machines/index.js"
import type { StoredRun } from "../../src/runtime/index.js"
import { createRunner, memoryJournal } from "../../src/runtime/index.js"
import { examples } from "../examples/example-folder.js"
import { give } from "../examples/give-answer.js"
import { scriptedCalls } from "../examples/scripted-calls.js"
import { changesOfRerun } from "../support/changes-of-rerun.js"

describe.each(examples)(
  "the example $name",
  ({ scenario, answers, services, chart: stored, expected }) => {
    const chart = stored as AgentChart

    /** Runs the example, records its calls, and passes the stored run and the cassette to `act`. */
    async function recorded(
      act: (run: StoredRun, cassette: unknown) => Promise<void>,
    ): Promise<void> {
      const service = await startScriptedService(scenario)
      const http = createHttpServices({ dispatcher: service.dispatcher() })
      const calls = scriptedCalls({ chart, services }, http)
      const recorder = recordCassette({ http: calls.http, models: calls.models })
      const journal = memoryJournal()
      // A cassette has no requests of graph nodes, and no messages to remote agents.
      const withOthers = { ...calls.http, ...recorder.services.http }
      const runner = createRunner({ ...calls, ...recorder.services, http: withOthers, journal })
      try {
        const run = runner.start(chart, { runId: "r" })
        for (const answer of answers) {
          await run.whenSettled()
          give(answer, run)
        }
        await run.whenSettled()
        await act(journal.toJSON()["r"] as StoredRun, recorder.cassette())
      } finally {
        await runner.close()
        await http.close()
        await service.close()
      }
    }

    test("executing the run of an example again makes no call and has the same result", () =>
      recorded(async (run) => expect(await changesOfRerun(run)).toEqual([])))

    test("an example passes the eval set of its own run with the recorded responses", () =>
      recorded(async (run, cassette) => {
        if (taskGraphOf(chart) !== null) {
          expect(() => evalSetFromRuns([run], { name: "recorded" })).toThrow(/no conversation/)
          return
        }
        const { evalSet, leftOut } = evalSetFromRuns([run], { name: "recorded" })
        expect(leftOut).toEqual(expected.status === "completed" ? [] : ["r"])
        if (expected.status !== "completed") return
        const { set, problems } = readEvalSet(JSON.stringify(evalSet), { file: "recorded.json" })
        expect(problems).toEqual([])
        const [recordedCase] = set?.cases ?? []
        const hasTexts = recordedCase?.turns.every(({ reference }) => /\w/.test(reference ?? ""))
        const { config } = readEvalConfig(
          JSON.stringify({
            criteria: {
              tool_trajectory_avg_score: 1,
              ...(hasTexts === true ? { response_match_score: 1 } : {}),
            },
          }),
          { file: "config.json" },
        )
        const again = await startScriptedService(scenario)
        const http = createHttpServices({ dispatcher: again.dispatcher() })
        const calls = scriptedCalls({ chart, services }, http)
        const player = playCassette(cassette)
        try {
          const report = await evaluate(chart, {
            sets: set === null ? [] : [set],
            ...(config === null ? {} : { config }),
            services: {
              ...calls,
              ...player.services,
              http: { ...calls.http, ...player.services.http },
            },
          })
          expect(report.sets[0]?.cases["r"]).toMatchObject({ status: "PASSED" })
        } finally {
          await http.close()
          await again.close()
        }
      }))
  },
)
