import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Attributes, Meter } from "@opentelemetry/api"
import { createNoopMeter } from "@opentelemetry/api"
import { describe, expect, test } from "vitest"
import { measureRun } from "../../../src/adapters/telemetry/otel/index.js"
import { createRunner, memoryJournal } from "../../../src/runtime/index.js"
import { projectFolder } from "../../docs/markdown-blocks.js"
import { scriptedServices } from "../../support/scripted-services.js"
import { simulatedClock } from "../../support/simulated-clock.js"
import { chartOf, httpTool, human, llm, sequence } from "../../support/workflow.js"

interface Measured {
  readonly name: string
  readonly value: number
  readonly attributes: Attributes
}

/** A meter that keeps all measurements, and the names and units of its instruments. */
function keepingMeter() {
  const measured: Measured[] = []
  const units = new Map<string, string | undefined>()
  const keep = (name: string, unit: string | undefined) => {
    units.set(name, unit)
    return (value: number, attributes: Attributes = {}): void =>
      void measured.push({ name, value, attributes })
  }
  const meter: Meter = {
    ...createNoopMeter(),
    createHistogram: (name, options) => ({ record: keep(name, options?.unit) }),
    createCounter: (name, options) => ({ add: keep(name, options?.unit) }),
    createUpDownCounter: (name, options) => ({ add: keep(name, options?.unit) }),
  }
  const of = (name: string) => measured.filter((one) => one.name === name)
  return {
    meter,
    units,
    of,
    sum: (name: string) => of(name).reduce((sum, { value }) => sum + value, 0),
  }
}

const usage = { inputTokens: 7, outputTokens: 3 }
const workflow = { "gen_ai.workflow.name": "line" }
const chart = chartOf(
  [
    sequence("line", ["writer", "boss", "closer"]),
    llm("writer", { tools: ["look"] }),
    human("boss"),
    llm("closer"),
  ],
  { globalTools: [httpTool("look", { description: "Looks." })] },
)
const services = () =>
  scriptedServices(
    {
      writer: [
        {
          content: null,
          toolCalls: [{ id: "c1", function_name: "look", function_args: {} }],
          usage,
        },
        { content: "a draft", usage },
      ],
      closer: [{ content: "done", usage, exitFlow: true }],
    },
    { look: ["a result"] },
  )

describe("the metrics of a run", () => {
  test("contain its status, duration, requests, calls, tokens and cost", async () => {
    const { meter, of, sum } = keepingMeter()
    const clock = simulatedClock()
    const runner = createRunner({ ...services(), clock, priceOf: () => 0.25 })
    const run = runner.start(chart, { prompt: "Go" })
    measureRun(run, { chart, meter, provider: "acme" })
    await run.whenSettled()
    expect([
      sum("agent_statecharts.runs.active"),
      sum("agent_statecharts.requests.pending"),
    ]).toEqual([1, 1])
    await run.answer(run.pending()[0]?.id ?? "", "yes")
    expect((await run.result).status).toBe("completed")
    expect(of("agent_statecharts.run.duration")).toMatchObject([
      { attributes: { ...workflow, "agent_statecharts.status": "completed" } },
    ])
    expect(sum("agent_statecharts.runs.active")).toBe(0)
    expect(sum("agent_statecharts.requests.pending")).toBe(0)
    expect(sum("agent_statecharts.calls.active")).toBe(0)
    expect(of("agent_statecharts.request.duration")).toHaveLength(1)
    const operations = of("gen_ai.client.operation.duration").map(
      ({ attributes }) => attributes["gen_ai.operation.name"],
    )
    expect(operations).toEqual(["chat", "execute_tool", "chat", "chat"])
    expect(sum("gen_ai.client.token.usage")).toBe(3 * (7 + 3))
    expect(sum("agent_statecharts.cost")).toBe(0.75)
    expect(of("agent_statecharts.cost")[0]?.attributes).toMatchObject({
      "gen_ai.provider.name": "acme",
    })
  })

  test("contain the pending requests of a resumed run, and no past calls", async () => {
    const { meter, of, sum } = keepingMeter()
    const journal = memoryJournal()
    const first = createRunner({ ...services(), journal })
    await first.start(chart, { runId: "r", prompt: "Go" }).whenSettled()
    await first.close()
    const answers = scriptedServices({ closer: [{ content: "done", usage, exitFlow: true }] }, {})
    const run = await createRunner({ ...answers, journal }).resume("r", {
      before: (resumed) => void measureRun(resumed, { chart, meter, resumed: true }),
    })
    await run.whenSettled()
    expect(sum("agent_statecharts.requests.pending")).toBe(1)
    await run.answer(run.pending()[0]?.id ?? "", "yes")
    await run.result
    expect(sum("agent_statecharts.requests.pending")).toBe(0)
    expect(sum("agent_statecharts.runs.active")).toBe(0)
    expect(of("gen_ai.client.operation.duration")).toHaveLength(1)
  })

  test("contain the status of a suspended or failed run, and count nothing as active afterwards", async () => {
    const { meter, of, sum } = keepingMeter()
    const runner = createRunner(services())
    measureRun(runner.start(chart, { prompt: "Go" }), { chart, meter })
    await new Promise(setImmediate)
    await runner.close()
    const failed = createRunner(scriptedServices({}, {})).start(chart, { prompt: "Go" })
    measureRun(failed, { chart, meter })
    expect((await failed.result).status).toBe("failed")
    expect(
      of("agent_statecharts.run.duration").map(
        ({ attributes }) => attributes["agent_statecharts.status"],
      ),
    ).toEqual(["suspended", "failed"])
    for (const name of ["runs.active", "requests.pending", "calls.active"])
      expect([name, sum(`agent_statecharts.${name}`)]).toEqual([name, 0])
    expect(
      of("gen_ai.client.operation.duration").some(({ attributes }) => "error.type" in attributes),
    ).toBe(true)
  })
})

test("the Grafana dashboard uses all metrics, and no unknown metrics", () => {
  const { meter, units } = keepingMeter()
  const run = createRunner(services()).start(chart)
  measureRun(run, { meter })()
  const counters = new Set(["agent_statecharts.cost"])
  /** Returns the names of the Prometheus series of a metric. */
  const seriesOf = ([name, unit]: readonly [string, string | undefined]): readonly string[] => {
    const base = `${name.replaceAll(".", "_")}${unit === "s" ? "_seconds" : ""}`
    if (counters.has(name)) return [`${base}_total`]
    return /duration|usage/.test(name)
      ? ["bucket", "sum", "count"].map((end) => `${base}_${end}`)
      : [base]
  }
  const text = readFileSync(join(projectFolder, "examples/deploy/grafana-dashboard.json"), "utf8")
  const { panels } = JSON.parse(text) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
  }
  const used = new Set(
    panels.flatMap(({ targets }) =>
      targets.flatMap(
        ({ expr }) => expr.match(/\b(agent_statecharts|gen_ai_client)_\w+(?=[{[])/g) ?? [],
      ),
    ),
  )
  const known = new Set([...units].flatMap(seriesOf))
  expect([...used].filter((name) => !known.has(name))).toEqual([])
  expect([...units].filter((metric) => !seriesOf(metric).some((name) => used.has(name)))).toEqual(
    [],
  )
  expect(units.size).toBe(8)
})
