import { describe, expect, test } from "vitest"
import { compileOrThrow } from "../../src/compiler/compile-or-throw.js"
import { readPolicies } from "../../src/compiler/1-parse/policies/read-policies.js"
import type { EmittedEvent } from "../../src/machines/contract/run-event.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import { replay } from "../../src/runtime/history/replay.js"
import type { RunnerOptions } from "../../src/runtime/runner/runner-options.js"
import { describeEvent } from "../../src/serving/display/describe-event.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { begin, calls, chartOf, interpreters } from "../support/in-both-interpreters.js"
import { playBoth, resumeEverywhere } from "../support/play-both.js"

const chart = chartOf(
  {
    name: "clerk",
    agentClass: "LlmAgent",
    tools: [
      { name: "charge", service: "charge" },
      { name: "search", service: "search" },
    ],
  },
  "any",
)

/** Returns services that count the calls of the tools, with enforced policies. */
function withPolicies(
  text: string,
  answers: readonly object[],
  enforce = true,
): { readonly made: string[]; readonly options: () => RunnerOptions } {
  const { policies, diagnostics } = readPolicies(text, { file: "rules.policy.yaml" })
  if (policies === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"))
  const made: string[] = []
  const tool = (name: string) => async () => {
    made.push(name)
    return { done: true }
  }
  return {
    made,
    options: () => ({
      models: { any: { call: async ({ messages }) => answers[resultsIn(messages)] } },
      services: { charge: tool("charge"), search: tool("search") },
      policies,
      enforce,
    }),
  }
}

/** Returns the number of tool results in the messages, which a restart does not change. */
const resultsIn = (messages: readonly { readonly role: string }[]): number =>
  messages.filter(({ role }) => role === "tool").length

const refusals = (events: readonly EmittedEvent[]) =>
  events.flatMap((event) => (event.type === "policy.refused" ? [event] : []))

const never = "policies: [{ name: no-charge, never: { call: charge }, description: Ask finance. }]"

describe("a tool call that a policy refuses", () => {
  const { made, options } = withPolicies(never, [calls("charge"), { content: "done" }])

  test("a policy refuses a tool call in both interpreters and after a restart at each record", async () => {
    const played = await playBoth(chart, options)
    expect(made).toEqual([])
    expect(played.result).toMatchObject({ status: "completed", text: "done" })
    expect(refusals(played.events)).toMatchObject([
      { policy: "no-charge", line: 1, tool: "charge", callId: "1", agent: "clerk", path: "clerk" },
    ])
    expect(played.events.find(({ type }) => type === "tool.finished")).toMatchObject({
      response: { error: 'the policy "no-charge" does not allow it: Ask finance.' },
    })
    expect(played.events.some(({ type }) => type === "tool.called")).toBe(false)
    await resumeEverywhere(played, options)
    expect(made).toEqual([])
  })

  test("a replay and a fork enforce the policies in the journal", async () => {
    const { journal } = await playBoth(chart, options)
    expect(replay(journal, chart).isSame).toBe(true)
    const { policies: _policies, enforce: _enforce, ...services } = options()
    const runner = createRunner({ ...services, journal: memoryJournal({ r: journal }) })
    const fork = await runner.fork("r", { at: 1 })
    expect(await fork.whenSettled()).toMatchObject({ status: "completed" })
    expect(made).toEqual([])
  })
})

test("a run can only be resumed with its own policies", async () => {
  const { options } = withPolicies(never, [calls("charge"), { content: "done" }])
  const { journal } = await playBoth(chart, options)
  const others = withPolicies(never.replace("charge }", "search }"), []).options()
  const resume = (services: RunnerOptions) =>
    createRunner({ ...services, journal: memoryJournal({ r: journal }) }).resume("r")
  await expect(resume(others)).rejects.toMatchObject({ code: "policies_differ" })
  await expect(resume({ ...options(), enforce: false })).rejects.toMatchObject({
    code: "policies_differ",
  })
  const { policies: _policies, enforce: _enforce, ...none } = options()
  await expect(resume(none)).resolves.toBeDefined()
})

test("a policy that is not enforced reports a violation and changes nothing", async () => {
  const { made, options } = withPolicies(never, [calls("charge"), { content: "done" }], false)
  const { result, events } = await playBoth(chart, options)
  expect(result.status).toBe("completed")
  expect(made).toEqual(["charge", "charge"])
  expect(events.filter(({ type }) => type === "policy.violated")).toMatchObject([
    { policy: "no-charge", line: 1, tool: "charge" },
  ])
  expect(
    events.flatMap((event) =>
      event.type === "policy.violated"
        ? [describeEvent({ seq: 1, at: 0, runId: "r", ...event }, String)]
        : [],
    ),
  ).toEqual(['violated the policy "no-charge": Ask finance. (line 1)'])
})

const onlyApproved = "policies: [{ name: approved, allow: { call: charge }, onlyAfter: approval }]"

test.each(interpreters)(
  "a person can approve a call that the policy does not allow by itself (%s)",
  async (interpreter) => {
    const { made, options } = withPolicies(onlyApproved, [calls("charge"), { content: "done" }])
    const { controls, events } = begin(interpreter, chart, options())
    expect(await controls.whenSettled()).toMatchObject({ status: "waiting" })
    const [request] = controls.pending()
    expect(request).toMatchObject({ kind: "approval", toolCalls: [{ name: "charge" }] })
    expect(request?.prompt).toBe(
      'May "charge" be called? The policy "approved" requires an approval',
    )
    expect(made).toEqual([])
    controls.approve(request?.id ?? "")
    expect(await controls.whenSettled()).toMatchObject({ status: "completed" })
    expect(made).toEqual(["charge"])
    expect(refusals(events)).toEqual([])
  },
)

test("with onViolation: ask, a person can permit a violation", async () => {
  const text = never.replace("description", "onViolation: ask, description")
  const { made, options } = withPolicies(text, [calls("charge"), { content: "done" }])
  const { controls, events } = begin("run", chart, options())
  expect(await controls.whenSettled()).toMatchObject({ status: "waiting" })
  controls.approve(controls.pending()[0]?.id ?? "")
  expect(await controls.whenSettled()).toMatchObject({ status: "completed" })
  expect(made).toEqual(["charge"])
  expect(events.filter(({ type }) => type.startsWith("policy."))).toEqual([])
})

test.each(["fail", "report"])(
  "a violation of a policy has the effect of onViolation: %s",
  async (action) => {
    const text = never.replace("description", `onViolation: ${action}, description`)
    const { made, options } = withPolicies(text, [calls("charge"), { content: "done" }])
    const { result } = await playBoth(chart, options)
    if (action === "report") expect(made).toEqual(["charge", "charge"])
    else {
      expect(made).toEqual([])
      expect(result).toMatchObject({ status: "failed", error: { code: "policy_violation" } })
    }
  },
)

test("the policies check the calls of one response in order", async () => {
  const twice = {
    content: null,
    toolCalls: ["1", "2"].map((id) => ({ id, function_name: "charge", function_args: {} })),
  }
  const { made, options } = withPolicies(
    "policies: [{ name: once, atMost: 1, of: { call: charge } }]",
    [twice, { content: "done" }],
  )
  const { events } = await playBoth(chart, options)
  expect(made).toEqual(["charge", "charge"])
  expect(refusals(events)).toMatchObject([{ callId: "2" }])
})

test("the budget of a policy ends the run with status limit and keeps the finished work", async () => {
  const { options } = withPolicies("policies: [{ name: cheap, budget: { modelCalls: 1 } }]", [
    calls("search"),
    { content: "done" },
  ])
  const played = await playBoth(chart, options)
  expect(played.result).toMatchObject({
    status: "limit",
    error: { code: "policy_violation", agent: "clerk" },
    usage: { modelCalls: 1, toolCalls: 1 },
  })
  await resumeEverywhere(played, options)
})

test.each(["sequence", "parallel"])(
  "an agent of a %s does not start if a policy forbids it",
  async (kind) => {
    const children = ["first", "second", "third"].map((name) => ({ name, agentClass: "LlmAgent" }))
    const block = chartOf(
      {
        name: "block",
        agentClass: kind === "parallel" ? "ParallelAgent" : "SequentialAgent",
        subAgents: children,
      },
      "any",
    )
    const { policies } = readPolicies("policies: [{ name: no-second, never: { start: second } }]")
    if (policies === null) throw new Error("the policies have problems")
    const asked: string[] = []
    const options = (): RunnerOptions => ({
      models: {
        any: {
          call: async ({ agent }) => {
            asked.push(agent)
            return { content: agent }
          },
        },
      },
      policies,
      enforce: true,
    })
    const played = await playBoth(block, options)
    expect(played.result).toMatchObject({ status: "failed", error: { code: "policy_violation" } })
    expect(new Set(asked)).toEqual(new Set(["first"]))
    expect(refusals(played.events)).toMatchObject([{ policy: "no-second", agent: "second" }])
    const told = played.events.filter(
      ({ agent, type }) => agent === "second" && type !== "policy.refused",
    )
    expect(told).toEqual([])
  },
)

test("a budget per iteration starts again with each iteration of the loop that it names", async () => {
  const loops = compileOrThrow({
    agent_class: "SequentialAgent",
    name: "both",
    sub_agents: ["first", "second"].map((name) => ({
      agent_class: "LoopAgent",
      name,
      max_iterations: 2,
      sub_agents: [{ name: `${name}_writer`, model: "any", instruction: "Write." }],
    })),
  })
  const statusWith = async (cost: number) => {
    const { options } = withPolicies(
      `prices: { any: { perCall: 1 } }
policies: [{ name: cheap, per: iteration of second, budget: { cost: ${cost} } }]`,
      [{ content: "text" }],
    )
    return (await createRunner(options()).start(loops, { prompt: "Go" }).result).status
  }
  expect(await statusWith(1)).toBe("completed")
  expect(await statusWith(0.5)).toBe("limit")
})
