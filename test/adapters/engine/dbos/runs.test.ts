import { execFile } from "node:child_process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import { DBOS } from "@dbos-inc/dbos-sdk"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { DbosRuns } from "../../../../src/adapters/engine/dbos/index.js"
import { dbosRuns } from "../../../../src/adapters/engine/dbos/index.js"
import { createHttpServices } from "../../../../src/adapters/http/index.js"
import { compile } from "../../../../src/compiler/index.js"
import type { AgentChart } from "../../../../src/machines/contract/agent-chart.js"
import type { ModelService } from "../../../../src/machines/contract/services.js"
import { createRunner } from "../../../../src/runtime/runner/runner.js"
import { isBuilt } from "../../../cli/command.js"
import { blocks, projectFolder } from "../../../docs/markdown-blocks.js"
import { scriptedServices } from "../../../support/scripted-services.js"
import { httpTool, human, llm, sequence } from "../../../support/workflow.js"
import type { Postgres } from "../../../support/postgres.js"
import { programs, startPostgres, whyNot } from "../../../support/postgres.js"

const chartOf = (config: object): AgentChart => {
  const { chart, diagnostics } = compile(config)
  if (chart === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  return chart
}

const until = async <Value>(
  look: () => Promise<Value>,
  holds: (value: Value) => boolean,
): Promise<Value> => {
  for (;;) {
    const value = await look()
    if (holds(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe.skipIf(programs === null)(
  `runs on DBOS${programs === null ? ` (skipped: ${whyNot})` : ""}`,
  () => {
    const counting = {
      content: null,
      toolCalls: [{ id: "c", function_name: "count", function_args: {} }],
    }
    const script = scriptedServices({
      writer: [{ content: "Once." }],
      counter: [counting, { content: "counted" }],
    })
    const scripted = script.http
    const http = createHttpServices()
    /** Some agents are served over real connections. */
    const model: ModelService = {
      call: (request, options) =>
        (request.endpoint?.url.includes("127.0.0.1") ? http : scripted).model.call(
          request,
          options,
        ),
    }
    const services = {
      http: { ...scripted, model },
      tools: { count: { call: async () => ({ n: 1n }) } },
    }
    const askBoss = chartOf({
      rootAgentId: "all",
      agents: [
        sequence("all", ["writer", "boss"]),
        llm("writer", { outputKey: "draft" }),
        human("boss", { prompt: "Well?", outputKey: "verdict" }),
      ],
    })
    const refused: string[] = []
    const told: string[] = []
    let postgres: Postgres
    let runs: DbosRuns

    beforeAll(async () => {
      postgres = await startPostgres()
      runs = dbosRuns(services, {
        refused: (runId, _, error) => refused.push(`${runId}: ${error.message}`),
        opened: (run) =>
          void run.events$.subscribe(({ type }) => told.push(`${run.runId} ${type}`)),
      })
      const silent = { info() {}, debug() {}, warn() {}, error() {} }
      DBOS.setConfig({ name: "agents", systemDatabaseUrl: postgres.url, logger: silent })
      await DBOS.launch()
    })

    afterAll(async () => {
      await DBOS.shutdown()
      await http.close()
      await postgres.stop()
    })

    test("a run on DBOS has the same result and emits the same events as a run of the runner", async () => {
      const input = { runId: "same", prompt: "Write.", state: { tone: "dry" } }
      await runs.start(askBoss, input)
      const { pending } = await until(
        () => runs.status("same"),
        ({ status }) => status === "waiting",
      )
      expect(pending).toMatchObject([{ id: "all/boss#0", kind: "human", prompt: "Well?" }])
      await runs.give("same", { type: "answer", id: "all/boss#0", value: "yes" })
      const local = createRunner(scriptedServices({ writer: [{ content: "Once." }] })).start(
        askBoss,
        input,
      )
      const localEvents: string[] = []
      local.events$.subscribe(({ type }) => localEvents.push(`same ${type}`))
      await local.whenSettled()
      local.answer("all/boss#0", "yes")
      expect(await runs.result("same")).toEqual(await local.result)
      expect(told.filter((line) => line.startsWith("same "))).toEqual(localEvents)
      expect(await runs.status("same")).toEqual({ status: "completed", pending: [], text: "yes" })
    })

    const paused = (duration: string): AgentChart =>
      chartOf({
        rootAgentId: "all",
        agents: [
          sequence("all", ["writer", "pause", "boss"]),
          llm("writer", { outputKey: "draft" }),
          { type: "WaitAgent", id: "pause", duration },
          human("boss", { prompt: "Well?", outputKey: "verdict" }),
        ],
      })

    test("a run on DBOS continues after the duration of a WaitAgent", async () => {
      const input = { runId: "paused", prompt: "Write." }
      await runs.start(paused("300ms"), input)
      const { pending } = await until(
        () => runs.status("paused"),
        ({ status }) => status === "waiting",
      )
      expect(pending.map(({ id }) => id)).toEqual(["all/boss#0"])
      await runs.give("paused", { type: "answer", id: "all/boss#0", value: "yes" })
      expect(await runs.result("paused")).toMatchObject({
        status: "completed",
        state: { draft: "Once.", verdict: "yes" },
      })
      const steps = (await DBOS.listWorkflowSteps("paused")) ?? []
      expect(steps.filter(({ name }) => name === "all/pause")).toHaveLength(1)
    })

    test("a run has the status running during a WaitAgent, and can be cancelled", async () => {
      const runId = await runs.start(paused("100d"))
      await until(
        async () => told,
        (lines) => lines.filter((line) => line === `${runId} agent.started`).length === 3,
      )
      expect(await runs.status(runId)).toMatchObject({ status: "running", pending: [] })
      await runs.give(runId, { type: "cancel" })
      expect(await runs.result(runId)).toMatchObject({
        status: "cancelled",
        state: { draft: "Once." },
      })
    })

    test.skipIf(!isBuilt)("the DBOS example of docs/scaling.md works", async () => {
      const shown = blocks.find(
        ({ at, code }) => at.startsWith("docs/scaling.md") && code.includes("dbosRuns"),
      )
      const env = { ...process.env, DATABASE_URL: postgres.url }
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module", "--eval", shown?.code ?? ""],
        { cwd: projectFolder, env },
      )
      expect(stdout).toContain("completed Boxes and arrows yes\n")
    })

    test("the steps of a run on DBOS have readable names", async () => {
      const runId = await runs.start(
        chartOf({ rootAgentId: "all", agents: [sequence("all", ["writer"]), llm("writer")] }),
      )
      await runs.result(runId)
      const steps = (await DBOS.listWorkflowSteps(runId)) ?? []
      expect(steps.map(({ name }) => name)).toEqual([
        "services",
        "DBOS.recv",
        "DBOS.sleep",
        "all/writer#0",
        "DBOS.send",
      ])
    })

    test("an invalid message is refused, and is processed once if it is sent twice with the same key", async () => {
      await runs.start(askBoss, { runId: "keyed" })
      await until(
        () => runs.status("keyed"),
        ({ status }) => status === "waiting",
      )
      for (let nth = 0; nth < 2; nth++)
        await expect(
          runs.give("keyed", { type: "approve", id: "all/boss#0" }, "first"),
        ).rejects.toMatchObject({ code: "input_refused" })
      await runs.give("keyed", { type: "answer", id: "all/boss#0", value: 1 })
      expect(await runs.result("keyed")).toMatchObject({
        status: "completed",
        state: { verdict: 1 },
      })
      expect(refused.filter((line) => line.startsWith("keyed"))).toEqual([
        expect.stringContaining("of kind human"),
      ])
    })

    test("a run accepts one of three contradictory answers and refuses the others", async () => {
      await runs.start(askBoss, { runId: "contradictory" })
      await until(
        () => runs.status("contradictory"),
        ({ status }) => status === "waiting",
      )
      const given = await Promise.allSettled(
        [1, 2, 3].map((value) =>
          runs.give("contradictory", { type: "answer", id: "all/boss#0", value }),
        ),
      )
      const accepted = given.findIndex(({ status }) => status === "fulfilled")
      const refusals = given.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
      expect(refusals.map(({ code }: { readonly code: string }) => code)).toEqual([
        expect.stringMatching(/^(request_unknown|run_finished)$/),
        expect.stringMatching(/^(request_unknown|run_finished)$/),
      ])
      expect(await runs.result("contradictory")).toMatchObject({
        state: { verdict: accepted + 1 },
      })
    })

    test("invalid starts, unknown runs and messages to a finished run are refused", async () => {
      await runs.start(askBoss, { runId: "once" })
      await expect(runs.start(askBoss, { runId: "once" })).rejects.toMatchObject({
        code: "run_exists",
      })
      await expect(runs.start({ ...askBoss, root: "nowhere" })).rejects.toMatchObject({
        code: "chart_invalid",
      })
      await expect(runs.start(askBoss, { state: { "\u0000kept": 1 } })).rejects.toMatchObject({
        code: "input_refused",
      })
      for (const ask of [runs.result, runs.status])
        await expect(ask("nobody")).rejects.toMatchObject({ code: "run_unknown" })
      await expect(runs.give("nobody", { type: "end" })).rejects.toMatchObject({
        code: "run_unknown",
      })
      await runs.give("once", { type: "end" })
      expect(await runs.result("once")).toMatchObject({ status: "completed" })
      await expect(runs.give("once", { type: "end" })).rejects.toMatchObject({
        code: "run_finished",
      })
    })

    test("a run fails with service_missing if a callback is not registered", async () => {
      const runId = await runs.start(
        chartOf({
          rootAgentId: "all",
          agents: [
            sequence("all", ["writer"]),
            { ...llm("writer"), beforeAgentCallback: "nobody" },
          ],
          dialect: "adk",
        }),
      )
      expect(await runs.result(runId)).toMatchObject({
        status: "failed",
        error: { code: "service_missing" },
      })
    })

    test("the model receives an error if the result of a tool is not JSON", async () => {
      const runId = await runs.start(
        chartOf({
          rootAgentId: "all",
          agents: [sequence("all", ["counter"]), llm("counter", { tools: ["count"] })],
          globalTools: [httpTool("count")],
        }),
      )
      expect(await runs.result(runId)).toMatchObject({ status: "completed", text: "counted" })
      expect(JSON.stringify(script.modelCalls.at(-1)?.messages)).toContain("is not JSON")
    })

    /** A service that never answers, and counts its requests and closed connections. */
    async function silentService() {
      let closed = 0
      let asked = 0
      const server = createServer((request) => {
        asked++
        request.socket.on("close", () => closed++)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      const agent = (id: string): object => ({
        type: "LlmAgent",
        id,
        httpConfig: { url: `http://127.0.0.1:${port}/${id}`, method: "POST" },
      })
      const block = {
        type: "ParallelAgent",
        id: "all",
        subAgents: [{ agentId: "one" }, { agentId: "two" }],
      }
      return {
        chart: chartOf({ rootAgentId: "all", agents: [block, agent("one"), agent("two")] }),
        closed: () => closed,
        asked: async () => asked,
        close: () => (server.closeAllConnections(), server.close()),
      }
    }

    test("a cancel message cancels a run and closes its connections at once", async () => {
      const service = await silentService()
      const runId = await runs.start(service.chart)
      await until(service.asked, (asked) => asked === 2)
      await runs.give(runId, { type: "cancel" })
      await until(
        async () => service.closed(),
        (closed) => closed === 2,
      )
      expect(await runs.result(runId)).toMatchObject({ status: "cancelled" })
      service.close()
    })

    test("a run stops its calls when DBOS cancels it, and makes them again when DBOS resumes it", async () => {
      const service = await silentService()
      await runs.start(service.chart, { runId: "stopped" })
      await until(service.asked, (asked) => asked === 2)
      await DBOS.cancelWorkflow("stopped")
      await until(
        async () => service.closed(),
        (closed) => closed === 2,
      )
      await expect(runs.result("stopped")).rejects.toThrow(/cancel/i)
      expect(await runs.status("stopped")).toMatchObject({ status: "cancelled", pending: [] })
      await DBOS.resumeWorkflow("stopped")
      await until(service.asked, (asked) => asked === 4)
      await runs.give("stopped", { type: "cancel" })
      expect(await runs.result("stopped")).toMatchObject({ status: "cancelled" })
      service.close()
    })

    test("a run stops its calls when DBOS is shut down, and makes them again after the next launch", async () => {
      const service = await silentService()
      await runs.start(service.chart, { runId: "suspended" })
      await until(service.asked, (asked) => asked === 2)
      await DBOS.shutdown()
      await until(
        async () => service.closed(),
        (closed) => closed === 2,
      )
      await DBOS.launch()
      await until(service.asked, (asked) => asked === 4)
      await runs.give("suspended", { type: "cancel" })
      expect(await runs.result("suspended")).toMatchObject({ status: "cancelled" })
      service.close()
    })

    test("a run that pauses in a WaitAgent continues after DBOS is launched again", async () => {
      const started = () => told.filter((line) => line === "asleep agent.started").length
      await runs.start(paused("2s"), { runId: "asleep" })
      await until(
        async () => started(),
        (count) => count >= 3,
      )
      await DBOS.shutdown()
      await DBOS.launch()
      await until(
        () => runs.status("asleep"),
        ({ status }) => status === "waiting",
      )
      await runs.give("asleep", { type: "answer", id: "all/boss#0", value: "yes" })
      expect(await runs.result("asleep")).toMatchObject({ status: "completed" })
      const steps = (await DBOS.listWorkflowSteps("asleep")) ?? []
      const [pause] = steps.filter(({ name }) => name === "all/pause")
      expect(pause?.output).toMatchObject([{ result: { ok: true } }])
    })
  },
)
