import { describe, expect, test } from "vitest"
import type { HostContext, HostFunction } from "../../src/runtime/host/host-function.js"
import { memoryJournal } from "../../src/runtime/host/memory-journal.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import {
  calls,
  chartOf,
  interpreters,
  play,
  scriptedModel,
  toldByTools,
} from "../support/in-both-interpreters.js"

const done = { content: "done" }

/** One clerk with one function tool, `act`. */
const clerk = (tool: object = {}, fields: object = {}) =>
  chartOf({
    rootAgentId: "clerk",
    initialUserInput: "go",
    agents: [
      {
        type: "LlmAgent",
        id: "clerk",
        model: "any",
        instruction: "Work.",
        tools: ["act"],
        outputKey: "answer",
        ...fields,
      },
    ],
    globalTools: [{ type: "FunctionTool", id: "act", ...tool }],
  })

describe.each(interpreters)("a function tool (%s)", (interpreter) => {
  test("a function tool receives the call, the tool name and the context of host functions", async () => {
    const seen: unknown[] = []
    const act: HostFunction = ({ agent, callId, tool, state, actions }, input) => {
      seen.push({ agent, callId, tool, input, actions: { ...actions } })
      state.set("acted", true)
      return { ok: true }
    }
    const { models } = scriptedModel({ clerk: [calls("act", { n: 1 }, "call-7"), done] })
    const { rested } = await play(interpreter, clerk(), { models, services: { act } })
    expect(seen).toEqual([
      { agent: "clerk", callId: "call-7", tool: "act", input: { n: 1 }, actions: {} },
    ])
    expect(rested).toMatchObject({
      status: "completed",
      text: "done",
      state: { acted: true, answer: "done" },
    })
  })

  test.each([
    [{ words: 2 }, { words: 2 }],
    ["two", { result: "two" }],
    [[1, 2], { result: [1, 2] }],
    [0, { result: 0 }],
    [undefined, { result: null }],
  ])("the model receives the return value %j of a function tool as %j", async (value, told) => {
    const { asked, models } = scriptedModel({ clerk: [calls("act"), done] })
    await play(interpreter, clerk(), { models, services: { act: () => value } })
    expect(toldByTools(asked)).toEqual(told)
  })

  test("the model receives the error of a function tool, and the requested actions are discarded", async () => {
    const { asked, models } = scriptedModel({ clerk: [calls("act"), done] })
    const act: HostFunction = ({ actions }) => {
      actions.escalate = true
      actions.skipSummarization = true
      throw new Error("no paper")
    }
    const { rested } = await play(interpreter, clerk(), { models, services: { act } })
    expect(toldByTools(asked)).toEqual({ error: '"act" failed: no paper' })
    expect(rested.text).toBe("done")
  })

  test.each([
    ["two words", "two words"],
    [{ words: 2 }, '{"words":2}'],
    [{ result: 7 }, '{"result":7}'],
  ])(
    "a function tool with skipSummarization ends the turn with its result: %j",
    async (value, text) => {
      const { asked, models } = scriptedModel({ clerk: [calls("act")] })
      const act: HostFunction = ({ actions }) => {
        actions.skipSummarization = true
        return value
      }
      const { rested } = await play(interpreter, clerk(), { models, services: { act } })
      expect(rested).toMatchObject({ status: "completed", text, state: { answer: text } })
      expect(asked).toHaveLength(1)
    },
  )

  test("a function tool can be long-running and end the turn when its result is delivered", async () => {
    const { models } = scriptedModel({ clerk: [calls("act")] })
    const act: HostFunction = ({ actions }) => {
      actions.skipSummarization = true
      return { pending: true, ticket: "T-1" }
    }
    const { controls, rested } = await play(interpreter, clerk(), { models, services: { act } })
    expect(rested.status).toBe("waiting")
    expect(controls.pending()).toMatchObject([
      { kind: "tool", agent: "clerk", details: { ticket: "T-1" } },
    ])
    controls.deliver("1", "sent")
    expect(await controls.result).toMatchObject({ status: "completed", text: "sent" })
  })
})

describe.each(interpreters)("a function tool that escalates (%s)", (interpreter) => {
  const inLoop = chartOf({
    rootAgentId: "rounds",
    initialUserInput: "go",
    agents: [
      {
        type: "LoopAgent",
        id: "rounds",
        maxIterations: 5,
        subAgents: [{ agentId: "clerk" }, { agentId: "closer" }],
      },
      {
        type: "LlmAgent",
        id: "clerk",
        model: "any",
        instruction: "Work.",
        tools: ["act", "note"],
        outputKey: "answer",
      },
      { type: "LlmAgent", id: "closer", model: "any", instruction: "Close.", outputKey: "closed" },
    ],
    globalTools: [
      { type: "FunctionTool", id: "act" },
      { type: "FunctionTool", id: "note" },
    ],
  })
  const both = {
    content: null,
    toolCalls: ["act", "note"].map((name) => ({
      id: name,
      function_name: name,
      function_args: {},
    })),
  }

  test.each(["sets actions.escalate", "calls escalate()"])(
    "if a function tool %s, the other calls finish, the loop ends and the saved text stays",
    async (how) => {
      const { asked, models } = scriptedModel({
        clerk: [{ content: "a draft" }, both],
        closer: [{ content: "closed" }],
      })
      const act: HostFunction = (context) => {
        if (how === "calls escalate()") context.escalate()
        else context.actions.escalate = true
      }
      const note: HostFunction = async ({ state, step }) =>
        state.set("noted", await step("slowly", () => true))
      const { rested } = await play(interpreter, inLoop, { models, services: { act, note } })
      expect(rested).toMatchObject({
        status: "completed",
        state: { answer: "a draft", noted: true, loop_exit_reason: "escalate" },
      })
      expect(asked.map(({ agent }) => agent)).toEqual(["clerk", "closer", "clerk"])
    },
  )
})

describe.each(interpreters)("a function tool that requests a handoff (%s)", (interpreter) => {
  const team = (extra: object = {}) =>
    chartOf({
      name: "front",
      model: "any",
      instruction: "Route.",
      tools: ["act"],
      initialUserInput: "go",
      subAgents: [
        { name: "expert", instruction: "Answer." },
        { name: "other", instruction: "Answer." },
      ],
      ...extra,
    })
  const handsTo =
    (name: string): HostFunction =>
    ({ actions }) => {
      actions.transferToAgent = name
      return "one moment"
    }

  test("a handoff to an allowed agent ends the turn of the caller", async () => {
    const { asked, models } = scriptedModel({ front: [calls("act")], expert: [{ content: "42" }] })
    const { rested, events } = await play(interpreter, team(), {
      models,
      services: { act: handsTo("expert") },
    })
    expect(rested).toMatchObject({ status: "completed", text: "42" })
    expect(asked.map(({ agent }) => agent)).toEqual(["front", "expert"])
    expect(events).toContainEqual(
      expect.objectContaining({ type: "handoff", from: "front", to: "expert" }),
    )
  })

  test("a handoff to any other agent is an error for the model, which is called again", async () => {
    const { asked, models } = scriptedModel({ front: [calls("act"), done] })
    const { rested } = await play(interpreter, team(), {
      models,
      services: { act: handsTo("boss") },
    })
    expect(toldByTools(asked)).toEqual({
      error: '"act" asks to transfer to "boss"; you may transfer to: expert, other',
    })
    expect(rested.text).toBe("done")
  })

  test("a transfer by the model takes precedence over the handoff of a function tool", async () => {
    const answer = {
      content: null,
      toolCalls: [
        calls("act").toolCalls[0],
        { id: "2", function_name: "transfer_to_agent", function_args: { agent_name: "other" } },
      ],
    }
    const { asked, models } = scriptedModel({ front: [answer], other: [{ content: "mine" }] })
    await play(interpreter, team(), { models, services: { act: handsTo("expert") } })
    expect(asked.map(({ agent }) => agent)).toEqual(["front", "other"])
  })

  test("a callback of the tool call has the same context and can request a handoff", async () => {
    const told: unknown[] = []
    const guard: HostFunction = ({ callId, tool, actions }, input) => {
      told.push({ callId, tool, hook: (input as { hook: string }).hook })
      actions.transferToAgent = "expert"
    }
    const { asked, models } = scriptedModel({
      front: [calls("act", {}, "c9")],
      expert: [{ content: "42" }],
    })
    const { rested } = await play(interpreter, team({ beforeToolCallback: "guard" }), {
      models,
      services: { act: () => "acted", guard },
    })
    expect(told).toEqual([{ callId: "c9", tool: "act", hook: "beforeTool" }])
    expect(asked.map(({ agent }) => agent)).toEqual(["front", "expert"])
    expect(rested.text).toBe("42")
  })
})

describe.each(interpreters)("the arguments of a function tool (%s)", (interpreter) => {
  const parameters = {
    type: "object",
    properties: {
      amount: { type: "number" },
      to: { type: "object", properties: { name: { type: "string" } } },
    },
    required: ["amount"],
    additionalProperties: false,
  }

  test.each([
    [{ amount: "ten" }, /"act" do not match its parameters schema: \/amount: .*"string".*"number"/],
    [{}, /required property "amount"/],
    [{ amount: 1, to: { name: 7 } }, /\/to\/name: /],
    [{ amount: 1, why: "so" }, /Property "why" does not match/],
  ])(
    "the invalid arguments %j are an error for the model, without a call or a confirmation",
    async (args, told) => {
      const { asked, models } = scriptedModel({ clerk: [calls("act", args), done] })
      const rules: HostFunction = () => ({ outcome: "CONFIRM" })
      const chart = chartOf({
        rootAgentId: "clerk",
        initialUserInput: "go",
        agents: [
          { type: "LlmAgent", id: "clerk", model: "any", instruction: "Work.", tools: ["act"] },
        ],
        globalTools: [{ type: "FunctionTool", id: "act", parameters, requireConfirmation: true }],
        plugins: [{ type: "SecurityPlugin", policyEngine: "rules" }],
      })
      let acted = 0
      const { rested } = await play(interpreter, chart, {
        models,
        services: { act: () => ({ acted: ++acted }), rules },
      })
      expect(rested.status).toBe("completed")
      expect((toldByTools(asked) as { readonly error: string }).error).toMatch(told)
      expect(acted).toBe(0)
    },
  )

  test("are validated after a callback has changed them", async () => {
    const edit: HostFunction = (_, input) =>
      void Object.assign((input as { args: object }).args, { amount: "much" })
    const { asked, models } = scriptedModel({ clerk: [calls("act", { amount: 1 }), done] })
    let acted = 0
    const act = () => ({ acted: ++acted })
    await play(interpreter, clerk({ parameters }, { beforeToolCallback: "edit" }), {
      models,
      services: { act, edit },
    })
    expect(toldByTools(asked)).toMatchObject({ error: expect.stringContaining("/amount") })
    expect(acted).toBe(0)
  })

  test("are validated before the call if a person edits them", async () => {
    const { asked, models } = scriptedModel({ clerk: [calls("act", { amount: 1 }), done] })
    const { controls } = await play(interpreter, clerk({ parameters, requireConfirmation: true }), {
      models,
      services: { act: (_, args) => args },
    })
    const [request] = controls.pending()
    const id = request?.id ?? ""
    expect(request?.toolCalls).toMatchObject([{ name: "act", parameters }])
    expect(() => controls.approve(id, { args: { amount: "lots" } })).toThrow(
      expect.objectContaining({
        code: "input_refused",
        message: expect.stringMatching(/the edited arguments of "act".*\/amount/) as string,
      }),
    )
    expect(controls.pending()).toEqual([request])
    controls.approve(id, { args: { amount: 7 } })
    await controls.whenSettled()
    expect(toldByTools(asked)).toEqual({ amount: 7 })
  })

  test("can be completed by a callback before the call", async () => {
    const add: HostFunction = (_, input) =>
      void Object.assign((input as { args: object }).args, { amount: 5 })
    const { asked, models } = scriptedModel({ clerk: [calls("act", {}), done] })
    const required = {
      type: "object",
      properties: { amount: { type: "number" } },
      required: ["amount"],
    }
    await play(interpreter, clerk({ parameters: required }, { beforeToolCallback: "add" }), {
      models,
      services: { act: (_, args) => args, add },
    })
    expect(toldByTools(asked)).toEqual({ amount: 5 })
  })

  test("are rejected with an explanation if the parameters schema itself is invalid", async () => {
    const { asked, models } = scriptedModel({ clerk: [calls("act", { amount: "x" }), done] })
    const broken = { type: "object", properties: { amount: { type: "string", pattern: "(" } } }
    const { rested } = await play(interpreter, clerk({ parameters: broken }), {
      models,
      services: { act: () => null },
    })
    expect(toldByTools(asked)).toMatchObject({
      error: expect.stringContaining("the JSON schema cannot be used"),
    })
    expect(rested.status).toBe("completed")
  })
})

describe.each(interpreters)("a LongRunningFunctionTool (%s)", (interpreter) => {
  test.each([
    ["T-1", { ticket: "T-1" }],
    [{ job: 7, pending: "soon" }, { ticket: { job: 7, pending: "soon" } }],
    [{ pending: true, ticket: "T-2" }, { ticket: "T-2" }],
    [undefined, null],
  ])(
    "starts its work and returns the ticket %j, and the result is delivered later",
    async (value, details) => {
      const chart = clerk({ type: "LongRunningFunctionTool" })
      const { asked, models } = scriptedModel({ clerk: [calls("act", {}, "c1"), done] })
      const { controls, rested } = await play(interpreter, chart, {
        models,
        services: { act: () => value },
      })
      expect(rested.status).toBe("waiting")
      expect(controls.pending()).toMatchObject([
        { kind: "tool", details, toolCalls: [{ id: "c1", name: "act" }] },
      ])
      controls.deliver("c1", { grade: "A" })
      expect(await controls.result).toMatchObject({ status: "completed", text: "done" })
      expect(toldByTools(asked)).toEqual({ grade: "A" })
    },
  )
})

test("a resumed run has the same result, because the journal contains the requests of the function", async () => {
  const journal = memoryJournal()
  const script = { clerk: [calls("act")] }
  let acted = 0
  const act = async ({ actions, step }: HostContext) => {
    acted = await step("act", () => acted + 1)
    actions.skipSummarization = true
    return "acted"
  }
  const options = { services: { act } }
  const run = createRunner({ ...scriptedModel(script), ...options, journal }).start(clerk(), {
    runId: "r",
  })
  const result = await run.whenSettled()
  expect(result.text).toBe("acted")
  const { header, records } = JSON.parse(JSON.stringify(journal.toJSON()["r"])) as StoredRun
  for (let length = 0; length <= records.length; length++) {
    const again = memoryJournal({ r: { header, records: records.slice(0, length) } })
    const resumed = await createRunner({
      ...scriptedModel(script),
      ...options,
      journal: again,
    }).resume("r")
    expect(await resumed.whenSettled(), `resumed after ${length} records`).toEqual(result)
  }
})

test("an open call of a LongRunningFunctionTool accepts its result after a restart", async () => {
  const journal = memoryJournal()
  const chart = clerk({ type: "LongRunningFunctionTool" })
  let started = 0
  const services = { act: () => `T-${++started}` }
  const run = createRunner({
    ...scriptedModel({ clerk: [calls("act", {}, "c1")] }),
    services,
    journal,
  }).start(chart, { runId: "r" })
  await run.whenSettled()
  const stored = JSON.parse(JSON.stringify(journal)) as Record<string, StoredRun>
  const { asked, models } = scriptedModel({ clerk: [done] })
  const again = await createRunner({ models, services, journal: memoryJournal(stored) }).resume("r")
  await again.whenSettled()
  again.deliver("c1", 7)
  expect(await again.result).toMatchObject({ status: "completed", text: "done" })
  expect(toldByTools(asked)).toEqual({ result: 7 })
  expect(started).toBe(1)
})
