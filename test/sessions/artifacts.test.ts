import { createActor } from "xstate"
import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { Artifacts } from "../../src/machines/contract/artifacts.js"
import type { EmittedEvent } from "../../src/machines/contract/run-event.js"
import { controlActor } from "../../src/runtime/actor/control-actor.js"
import { toMachine } from "../../src/runtime/actor/to-machine.js"
import type { HostFunction } from "../../src/runtime/host/host-function.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { agentTool, chartOf, llm, parallel, sequence } from "../support/workflow.js"
import type { Script } from "../support/scripted-services.js"
import { scriptedServices } from "../support/scripted-services.js"

const adk = { dialect: "adk", initialUserInput: "hello" }
const custom = (id: string, subAgents: readonly string[] = []) => ({
  type: "CustomAgent",
  id,
  service: id,
  subAgents: subAgents.map((agentId) => ({ agentId })),
})
const pic = { mimeType: "image/png", data: "AAEC" }

const playedBy = {
  "the driver": async (
    chart: AgentChart,
    models: Script,
    services: Readonly<Record<string, HostFunction>>,
    artifacts: Artifacts,
  ) => {
    const scripted = scriptedServices(models)
    const events: EmittedEvent[] = []
    const run = createRunner({ ...scripted, services }).start(chart, { artifacts })
    run.events$.subscribe((event) => void events.push(event as EmittedEvent))
    return { ...scripted, events, result: await run.result }
  },
  "an actor": async (
    chart: AgentChart,
    models: Script,
    services: Readonly<Record<string, HostFunction>>,
    artifacts: Artifacts,
  ) => {
    const scripted = scriptedServices(models)
    const events: EmittedEvent[] = []
    const actor = createActor(
      toMachine(chart, { ...scripted, services, onEvent: (event) => void events.push(event) }),
      { input: { artifacts } },
    )
    const controls = controlActor(actor)
    actor.start()
    return { ...scripted, events, result: await controls.result }
  },
}

const systemOf = ({
  messages,
}: {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}) => messages.find(({ role }) => role === "system")?.content

describe.each(Object.entries(playedBy))("artifacts, executed by %s", (_, play) => {
  test.each([{}, { maxConcurrency: 1 }])(
    "branches have their own copies of artifacts, which are merged in declaration order (%j)",
    async (fields) => {
      const chart = chartOf(
        [
          sequence("line", ["block", "reader"]),
          parallel("block", ["left", "right"], fields),
          custom("left"),
          custom("right"),
          llm("reader", {
            instruction: "{artifact.both} {artifact.own} {artifact.seed} {artifact.pic}",
          }),
        ],
        adk,
      )
      const seen: Record<string, unknown> = {}
      const branch =
        (name: string): HostFunction =>
        async (context) => {
          seen[name] = [await context.listArtifacts(), await context.loadArtifact("both")]
          await context.saveArtifact("both", name)
          if (name === "left") await context.saveArtifact("own", "only left")
          seen[`${name} after`] = await context.loadArtifact("both")
        }
      const { modelCalls, events, result } = await play(
        chart,
        { reader: [{ content: "ok" }] },
        { left: branch("left"), right: branch("right") },
        { seed: "S", pic },
      )
      expect(seen).toEqual({
        left: [["pic", "seed"], null],
        right: [["pic", "seed"], null],
        "left after": "left",
        "right after": "right",
      })
      expect(modelCalls.map(systemOf)).toEqual([
        'You are the agent "reader".\n\nright only left S [pic: image/png]',
      ])
      expect(result.artifacts).toEqual({ seed: "S", pic, both: "right", own: "only left" })
      const saved = events.flatMap((event) =>
        event.type === "artifact.saved" ? [[event.agent, event.branch, event.name]] : [],
      )
      expect(saved.sort()).toEqual([
        ["left", "block.0", "both"],
        ["left", "block.0", "own"],
        ["right", "block.1", "both"],
      ])
    },
  )

  test("an AgentTool passes artifacts to its target, and returns new artifacts", async () => {
    const tools = [
      agentTool("ask", "helper"),
      { type: "FunctionTool", id: "keep", service: "keep", description: "Keeps." },
    ]
    const chart = chartOf(
      [
        sequence("line", ["boss", "reader"]),
        llm("boss", { tools: ["ask"] }),
        llm("helper", { instruction: "H {artifact.seed}", tools: ["keep"] }),
        llm("reader", { instruction: "R {artifact.made}" }),
      ],
      { ...adk, globalTools: tools },
    )
    const call = (name: string) => ({
      content: null,
      toolCalls: [{ id: name, function_name: name, function_args: { request: "x" } }],
    })
    const keep: HostFunction = async (context) => {
      await context.saveArtifact("made", `${String(await context.loadArtifact("seed"))}!`)
      return { kept: true }
    }
    const models = {
      boss: [call("ask"), { content: "b" }],
      helper: [call("keep"), { content: "h" }],
      reader: [{ content: "r" }],
    }
    const { modelCalls, result, events } = await play(chart, models, { keep }, { seed: "S" })
    expect(modelCalls.filter(({ agent }) => agent !== "boss").map(systemOf)).toEqual([
      'You are the agent "helper".\n\nH S',
      'You are the agent "helper".\n\nH S',
      'You are the agent "reader".\n\nR S!',
    ])
    expect(result.artifacts).toEqual({ seed: "S", made: "S!" })
    expect(events.filter(({ type }) => type === "artifact.saved")).toHaveLength(1)
  })

  test("artifacts are not part of the state of services, host functions, conditions and events", async () => {
    const chart = chartOf(
      [
        sequence("line", ["maker", { agentId: "asked", when: "len(session_state) == 3" }]),
        custom("maker", ["inner"]),
        llm("inner"),
        llm("asked"),
      ],
      adk,
    )
    const seen: unknown[] = []
    const maker: HostFunction = async ({ state, saveArtifact, runAgent }) => {
      await saveArtifact("note", "N")
      await runAgent("inner")
      seen.push(
        Object.keys(state.toObject()),
        state.get("\u0000artifact:note"),
        state.has("\u0000artifact:note"),
      )
      expect(() => state.set("\u0000artifact:note", "x")).toThrow(
        expect.objectContaining({ code: "input_refused" }),
      )
      state.delete("\u0000artifact:note")
    }
    const { modelCalls, events, result } = await play(
      chart,
      { inner: [{ content: "i" }], asked: [{ content: "a" }] },
      { maker },
      {},
    )
    expect(seen).toEqual([["inner_text"], undefined, false])
    expect(modelCalls.map(({ agent, state }) => [agent, state])).toEqual([
      ["inner", {}],
      ["asked", { inner_text: "i" }],
    ])
    expect(
      JSON.stringify([result.state, events.filter(({ type }) => type === "state.changed")]),
    ).not.toContain("artifact:")
    expect(result.artifacts).toEqual({ note: "N" })
  })

  test("the artifacts of a failed branch are kept", async () => {
    const chart = chartOf(
      [
        parallel("block", ["good", "bad"], { failurePolicy: "collect" }),
        custom("good"),
        custom("bad"),
      ],
      adk,
    )
    const save =
      (then: () => void): HostFunction =>
      async (context) => {
        await context.saveArtifact(context.agent, "x")
        await context.step("pause", () => null)
        then()
      }
    const { result } = await play(
      chart,
      {},
      {
        good: save(() => {}),
        bad: save(() => {
          throw new Error("no")
        }),
      },
      {},
    )
    expect([result.status, result.artifacts]).toEqual(["completed", { good: "x", bad: "x" }])
  })

  test.each<[why: string, name: unknown, value: unknown]>([
    ["the value must be a string or", "n", 5],
    ["the value must be a string or", "n", null],
    ["the value must be a string or", "n", { mimeType: "image/png" }],
    ["the value must be a string or", "n", { mimeType: "image/png", data: "AAEC", more: 1 }],
    ["the data must be base64", "n", { mimeType: "image/png", data: "A-_=" }],
    ["the data must be base64", "n", { mimeType: "image/png", data: "AAE" }],
    ["the name must be a string", "", "x"],
    ["the name must be a string", 7, "x"],
  ])("an invalid artifact is refused: %s (%j, %j)", async (why, name, value) => {
    const maker: HostFunction = (context) => context.saveArtifact(name as string, value as string)
    const { result } = await play(chartOf([custom("maker")], adk), {}, { maker }, {})
    expect(result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining(why) as string },
    })
  })
})

test("invalid artifacts and reserved state keys are refused at the start of a run", () => {
  const chart = chartOf([llm("a")], adk)
  const runner = createRunner(scriptedServices({}))
  expect(() => runner.start(chart, { artifacts: { n: { mimeType: "x", data: "!" } } })).toThrow(
    expect.objectContaining({ code: "input_refused" }),
  )
  expect(() => runner.start(chart, { state: { "\u0000artifact:n": "x" } })).toThrow(
    expect.objectContaining({ code: "input_refused" }),
  )
})

test("an actor continues a session that it receives", async () => {
  const chart = chartOf(
    [
      llm("desk", {
        instruction: "{artifact.note} {plan}",
        subAgents: [
          llm("billing", { instruction: "{artifact.note} {plan}", description: "Bills." }),
        ],
      }),
    ],
    { ...adk, state: { plan: "new" } },
  )
  const services = scriptedServices({ billing: [{ content: "b" }] })
  const history = [{ author: "user", message: { role: "user", content: "earlier" } }] as const
  const input = {
    prompt: "more",
    session: { state: { plan: "kept" }, history, artifacts: { note: "N" }, activeAgent: "billing" },
  }
  const actor = createActor(toMachine(chart, services), { input })
  const controls = controlActor(actor)
  actor.start()
  expect((await controls.result).state).toMatchObject({ plan: "kept", billing_text: "b" })
  expect(services.modelCalls).toMatchObject([
    {
      agent: "billing",
      messages: [
        { content: expect.stringContaining("N kept") as string },
        { content: "earlier" },
        { content: "more" },
      ],
    },
  ])
})

test("a config cannot write to the state keys of artifacts", () => {
  const refused = [
    { rootAgentId: "a", agents: [llm("a", { outputKey: "\u0000artifact:n" })] },
    { rootAgentId: "a", agents: [llm("a")], state: { "\u0000artifact:n": 1 } },
  ]
  for (const config of refused)
    expect(
      compile(config).diagnostics.filter(({ severity }) => severity === "error"),
    ).toMatchObject([{ message: expect.stringContaining("U+0000") as string }])
})
