import { describe, expect, test } from "vitest"
import { compile } from "../../src/compiler/index.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { chartOf as adkChartOf, interpreters, play } from "../support/in-both-interpreters.js"
import { chartOf, llm, loop, parallel, sequence } from "../support/workflow.js"

type Fields = Readonly<Record<string, unknown>>

/** Models by agent: an answer, or `"slow"` for a call that only ends when it is aborted. */
function servicesOf(script: Readonly<Record<string, object | "slow">>) {
  const aborted: string[] = []
  const asked: string[] = []
  const call = async (
    { agent }: { readonly agent: string },
    { signal }: { readonly signal: AbortSignal },
  ): Promise<unknown> => {
    asked.push(agent)
    const answer = script[agent]
    if (answer !== "slow") return answer ?? { content: `I am ${agent}.` }
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push(agent)
        reject(new Error("aborted"))
      })
    })
  }
  const services = { http: { model: { call }, tool: { call } }, models: { any: { call } } }
  return { services, aborted, asked }
}

const escalates = { content: "Stop.", escalate: true }
const cancels = { onEscalate: "cancel" }

const joined = (events: readonly { readonly type: string }[]) =>
  events.filter(({ type }) => type === "parallel.joined")

describe.each(interpreters)("a block with onEscalate cancel (%s)", (interpreter) => {
  test("an escalation drops the running branches, merges the finished branches and ends the block", async () => {
    const chart = chartOf([
      sequence("all", ["block", "after"]),
      parallel("block", ["quick", "slow", "stopper", "waiting"], { ...cancels, maxConcurrency: 2 }),
      llm("quick"),
      llm("slow"),
      llm("stopper"),
      llm("waiting"),
      llm("after"),
    ])
    const { services, aborted, asked } = servicesOf({ slow: "slow", stopper: escalates })
    const { rested, events } = await play(interpreter, chart, services)
    expect(rested.status).toBe("completed")
    expect(rested.state).toMatchObject({ quick_text: "I am quick.", stopper_text: "Stop." })
    expect(Object.keys(rested.state)).not.toContain("slow_text")
    expect(joined(events)).toMatchObject([
      { merged: ["block.0", "block.2"], dropped: ["block.1", "block.3"] },
    ])
    expect(aborted).toEqual(["slow"])
    // In graph-compose, the escalation also ends the sequence.
    expect(asked).not.toContain("after")
    expect(asked).not.toContain("waiting")
  })

  test("the default of onEscalate is finish", async () => {
    for (const fields of [{}, { onEscalate: "finish" }]) {
      const chart = chartOf([
        parallel("block", ["stopper", "other"], { ...fields, maxConcurrency: 1 }),
        llm("stopper"),
        llm("other"),
      ])
      const { services } = servicesOf({ stopper: escalates })
      const { events } = await play(interpreter, chart, services)
      expect(joined(events)).toMatchObject([{ merged: ["block.0", "block.1"], dropped: [] }])
    }
  })

  const deeper: readonly (readonly [string, readonly Fields[]])[] = [
    ["a sequence", [sequence("branch", ["stopper"])]],
    ["a loop", [loop("branch", ["stopper"], 2)]],
    ["a block", [parallel("branch", ["stopper"])]],
    ["a block of actors", [parallel("branch", ["stopper", "third"], { maxConcurrency: 1 })]],
    [
      "a block of actors in a sequence",
      [
        sequence("branch", ["inner"]),
        parallel("inner", ["stopper", "third"], { maxConcurrency: 1 }),
      ],
    ],
  ]
  test.each(deeper)(
    "an escalation inside %s does not cancel the other branches",
    async (_, agents) => {
      const chart = chartOf([
        parallel("block", ["branch", "other"], { ...cancels, maxConcurrency: 1 }),
        ...agents,
        llm("stopper"),
        llm("third"),
        llm("other"),
      ])
      const { services } = servicesOf({ stopper: escalates })
      const { rested, events } = await play(interpreter, chart, services)
      expect(rested.state).toMatchObject({ other_text: "I am other." })
      expect(joined(events).at(-1)).toMatchObject({ merged: ["block.0", "block.1"] })
    },
  )

  test("an escalation of a branch with a condition or handoffs cancels, but not that of its sub-agents", async () => {
    const play1 = async (first: Fields, script: Readonly<Record<string, object>>) => {
      const chart = chartOf([
        parallel("block", [{ agentId: "first", when: "1 == 1" }, "other"], {
          ...cancels,
          maxConcurrency: 1,
        }),
        first,
        llm("other"),
      ])
      const { services, asked } = servicesOf(script)
      await play(interpreter, chart, services)
      return asked.includes("other")
    }
    const transfer = {
      toolCalls: [{ function_name: "transfer_to_agent", function_args: { agent_name: "second" } }],
    }
    const team = llm("first", { subAgents: [llm("second")] })
    expect(await play1(llm("first"), { first: escalates })).toBe(false)
    expect(await play1(team, { first: escalates })).toBe(false)
    expect(await play1(team, { first: transfer, second: escalates })).toBe(true)
  })

  test("in the adk dialect, an escalation ends the enclosing loop, and the workflow continues", async () => {
    const agent = (name: string, fields: Fields = {}) => ({
      agentClass: "LlmAgent",
      name,
      outputKey: `${name}_text`,
      ...fields,
    })
    const chart = adkChartOf(
      {
        agentClass: "SequentialAgent",
        name: "all",
        subAgents: [
          {
            agentClass: "LoopAgent",
            name: "rounds",
            maxIterations: 3,
            subAgents: [
              {
                agentClass: "ParallelAgent",
                name: "block",
                onEscalate: "cancel",
                subAgents: [agent("stopper"), agent("slow")],
              },
              agent("skipped"),
            ],
          },
          agent("after"),
        ],
      },
      "any",
    )
    const { services, asked, aborted } = servicesOf({ slow: "slow", stopper: escalates })
    const { rested } = await play(interpreter, chart, services)
    expect(rested.status).toBe("completed")
    expect([asked.toSorted(), aborted]).toEqual([["after", "slow", "stopper"], ["slow"]])
  })

  test("an escalation cancels a block over a list, even if its quorum is not reached", async () => {
    const chart = chartOf([
      parallel("block", ["worker"], {
        ...cancels,
        maxConcurrency: 1,
        completion: { quorum: 3 },
        forEach: { items: "[1, 2, 3]", collect: { out: "worker_text" } },
      }),
      llm("worker"),
    ])
    const { services, asked } = servicesOf({ worker: escalates })
    const { rested } = await play(interpreter, chart, services)
    expect(rested).toMatchObject({ status: "completed", state: { out: ["Stop.", null, null] } })
    expect(asked).toEqual(["worker"])
  })

  test("the block still fails with failurePolicy wait-all if a branch failed before the escalation", async () => {
    const chart = chartOf([
      parallel("block", ["broken", "stopper", "other"], {
        ...cancels,
        maxConcurrency: 1,
        failurePolicy: "wait-all",
      }),
      llm("broken"),
      llm("stopper"),
      llm("other"),
    ])
    const { services, asked } = servicesOf({ broken: { content: 5 }, stopper: escalates })
    const { rested } = await play(interpreter, chart, services)
    expect(rested).toMatchObject({ status: "failed", error: { agent: "broken" } })
    expect(asked).not.toContain("other")
  })
})

test("a CustomAgent cancels the block if it escalates itself, but not if its sub-agent escalates", async () => {
  const asked = async (escalate: boolean) => {
    const chart = adkChartOf(
      {
        agentClass: "ParallelAgent",
        name: "block",
        onEscalate: "cancel",
        maxConcurrency: 1,
        subAgents: [
          {
            agentClass: "CustomAgent",
            name: "custom",
            service: "custom",
            subAgents: [{ agentClass: "LlmAgent", name: "stopper" }],
          },
          { agentClass: "LlmAgent", name: "other" },
        ],
      },
      "any",
    )
    const { services, asked: names } = servicesOf({ stopper: escalates })
    const run = createRunner({
      ...services,
      services: {
        custom: async (host) => {
          await host.runAgent("stopper")
          if (escalate) host.escalate()
        },
      },
    }).start(chart, { prompt: "Go." })
    await run.result
    return names
  }
  expect(await asked(false)).toEqual(["stopper", "other"])
  expect(await asked(true)).toEqual(["stopper"])
})

test("the compiler rejects other values of onEscalate and lists the allowed values", () => {
  const { diagnostics } = compile({
    rootAgentId: "block",
    agents: [parallel("block", ["a"], { onEscalate: "stop" }), llm("a")],
  })
  expect(diagnostics).toMatchObject([
    { severity: "error", message: expect.stringContaining("onEscalate") as string },
  ])
  expect(JSON.stringify(diagnostics)).toMatch(/finish.*cancel/)
})
