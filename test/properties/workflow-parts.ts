import * as fc from "fast-check"
import { agentTool, httpTool, human, llm, loop, parallel, sequence } from "../support/workflow.js"
import type { Dialect } from "./arbitrary-scene.js"
import { machineAgent, triggeredGraph } from "./node-parts.js"

type Fields = Readonly<Record<string, unknown>>

/** A part of a workflow that uses one feature often. Its first agent is the root of the part. */
export interface WorkflowPart {
  readonly agents: readonly Fields[]
  readonly tools?: readonly Fields[]
  readonly models: Readonly<Record<string, readonly unknown[]>>
  readonly services?: Readonly<Record<string, readonly unknown[]>>
  /** Fields of the workflow. */
  readonly settings?: Fields
}

const onExpiry = fc.constantFrom("reject", "fail", "continue")
const soon = fc.constantFrom({}, { expiresIn: 400 }, { expiresIn: 1_200 }, { expiresIn: 250 })
const expiring = fc
  .tuple(soon, onExpiry)
  .map(([when, what]) => ("expiresIn" in when ? { ...when, onExpiry: what } : {}))

const call = (name: string, id?: string, args: Fields = { request: "x" }): Fields => ({
  ...(id === undefined ? {} : { id }),
  function_name: name,
  function_args: args,
})
const transfer = (to: string): Fields => ({
  content: null,
  toolCalls: [call("transfer_to_agent", "t", { agent_name: to })],
})

const consent = { pending: true, auth: { url: "https://consent.test/" } }
const consents = [
  [{ pending: true }, { pending: true, ticket: 5 }, { ok: true }],
  [consent],
  [consent],
  [consent, { pending: true }],
]

/** Placeholder for the id of a part. */
const id = "@"

const parts: readonly fc.Arbitrary<WorkflowPart>[] = [
  // Failures, timeouts, retries.
  fc
    .record({
      maximumAttempts: fc.integer({ min: 2, max: 4 }),
      initialInterval: fc.constantFrom(50, 300),
      backoffCoefficient: fc.constantFrom(1, 2),
    })
    .chain((retryPolicy) =>
      fc
        .constantFrom(
          {},
          { startToCloseTimeout: 500 },
          { startToCloseTimeout: 900, scheduleToCloseTimeout: 1_500 },
        )
        .map((times) => ({
          agents: [llm(id, { activityConfig: { retryPolicy, ...times }, tools: [`${id}_find`] })],
          tools: [httpTool(`${id}_find`, { activityConfig: { retryPolicy, ...times } })],
          models: {
            [id]: [
              { status: 503 },
              { status: 429, retryAfterMs: 400 },
              { content: null, toolCalls: [call(`${id}_find`)] },
              { content: "at last" },
              { hangs: true },
              { garbage: 5 },
            ],
          },
          services: { [`${id}_find`]: [{ status: 500 }, { hits: 1 }, { hangs: true }] },
        })),
    ),
  // Branches of which one may fail.
  fc
    .tuple(
      fc.constantFrom("fail-fast", "collect", "wait-all"),
      fc.constantFrom({}, { maxConcurrency: 1 }, { maxConcurrency: 2 }),
      fc.boolean(),
    )
    .map(([failurePolicy, most, asks]) => ({
      agents: [
        parallel(id, [`${id}_one`, `${id}_two`, `${id}_three`], { failurePolicy, ...most }),
        llm(`${id}_one`),
        llm(`${id}_two`, { outputKey: "shared" }),
        asks ? human(`${id}_three`) : llm(`${id}_three`, { outputKey: "shared" }),
      ],
      models: {
        [`${id}_one`]: [{ content: "one" }, { status: 400 }, { status: 400 }],
        [`${id}_two`]: [
          { content: "two" },
          { content: "two again" },
          { status: 503 },
          { content: null, escalate: true },
        ],
        [`${id}_three`]: [{ content: "three" }],
      },
    })),
  // A team.
  fc.tuple(fc.boolean(), fc.boolean()).map(([disallowTransferToParent, nested]) => ({
    agents: [
      llm(id, {
        description: "the desk",
        subAgents: [
          llm(`${id}_bill`, {
            disallowTransferToParent,
            ...(nested ? { subAgents: [llm(`${id}_tax`)] } : {}),
          }),
          human(`${id}_clerk`),
          sequence(`${id}_line`, [`${id}_step`]),
        ],
      }),
      llm(`${id}_step`),
    ],
    models: {
      [id]: [
        transfer(`${id}_bill`),
        transfer(`${id}_clerk`),
        transfer(`${id}_line`),
        { content: "here" },
      ],
      [`${id}_bill`]: [
        transfer(id),
        transfer(nested ? `${id}_tax` : `${id}_clerk`),
        { content: "billed" },
      ],
      [`${id}_tax`]: [{ content: "taxed" }, transfer(`${id}_bill`)],
      [`${id}_step`]: [{ content: "stepped" }],
    },
  })),
  // The end of a workflow.
  fc
    .constantFrom(
      { content: "over", exitFlow: true },
      { content: "up", escalate: true },
      { content: "both", exitFlow: true, escalate: true },
    )
    .map((end) => ({ agents: [llm(id)], models: { [id]: [end, { content: "on" }] } })),
  // A condition that raises an error.
  fc.constant({
    agents: [
      sequence(id, [{ agentId: `${id}_maybe`, when: "session_state['ghost'] == 1" }, `${id}_last`]),
      llm(`${id}_maybe`),
      llm(`${id}_last`),
    ],
    models: { [`${id}_maybe`]: [{ content: "maybe" }], [`${id}_last`]: [{ content: "last" }] },
    settings: { onConditionError: "continue" },
  }),
]

/** Parts with features that few other random workflows use. */
const rare: readonly fc.Arbitrary<WorkflowPart>[] = [
  // Approval of tool calls, or of a text without tool calls.
  fc
    .tuple(
      expiring,
      fc.constantFrom(
        [],
        [call(`${id}_find`, "1")],
        [call(`${id}_find`, "1"), call(`${id}_find`, "2")],
      ),
    )
    .map(([fields, toolCalls]) => ({
      agents: [llm(id, { ...fields, tools: [`${id}_find`] })],
      tools: [httpTool(`${id}_find`, { outputKey: "found" })],
      models: {
        [id]: [
          { content: "?", toolCalls, hitlRequest: { prompt: "may I?", actionDetails: { n: 1 } } },
          { content: "done" },
        ],
      },
      services: { [`${id}_find`]: [{ hits: 2 }, { status: 400 }] },
    })),
  // A message of the user, then a person.
  fc.tuple(expiring, expiring).map(([one, other]) => ({
    agents: [
      sequence(id, [`${id}_chat`, `${id}_boss`]),
      llm(`${id}_chat`, one),
      human(`${id}_boss`, other),
    ],
    models: {
      [`${id}_chat`]: [{ content: "which one?", waitForUserInput: true }, { content: "ok" }],
    },
  })),
  // A budget.
  fc
    .tuple(
      fc.constantFrom(
        { maxModelCalls: 1 },
        { maxTokens: 40 },
        { maxOutputTokens: 9 },
        { maxInputTokens: 20 },
      ),
      fc.constantFrom("limit", "ask", { message: "That is all." }),
    )
    .map(([most, onExceeded]) => ({
      agents: [llm(id, { tools: [`${id}_find`], budget: { ...most, onExceeded } })],
      tools: [httpTool(`${id}_find`)],
      models: {
        [id]: [
          {
            content: null,
            toolCalls: [call(`${id}_find`)],
            usage: { inputTokens: 20, outputTokens: 10 },
          },
          { content: null, toolCalls: [call(`${id}_find`)] },
          { content: "spent", usage: { inputTokens: 20, outputTokens: 10 } },
        ],
      },
      services: { [`${id}_find`]: [1] },
    })),
  // A loop.
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("ok", "ok", "ok", "never", "raises"))
    .map(([most, exits]) => ({
      agents: [
        loop(
          id,
          [
            `${id}_writer`,
            { agentId: `${id}_critic`, when: `session_state['current_agent_loop_iteration'] != 1` },
          ],
          most,
          {
            outputKey: `${id}_text`,
            ...(exits === "never"
              ? {}
              : {
                  loopExitCondition:
                    exits === "ok"
                      ? `session_state.get('${id}_critic_text') == 'ok'`
                      : "session_state['loop_exit_reason'] == 1",
                }),
          },
        ),
        llm(`${id}_writer`),
        llm(`${id}_critic`),
      ],
      models: {
        [`${id}_writer`]: [{ content: "draft" }, { content: "better" }],
        [`${id}_critic`]: [
          { content: "ok" },
          { content: "ok" },
          { content: "no" },
          { content: "up", escalate: true },
        ],
      },
    })),
  // A team that transfers repeatedly, and an agent that calls a tool repeatedly.
  fc.integer({ min: 1, max: 3 }).map((maxHandoffs) => ({
    agents: [llm(id, { subAgents: [llm(`${id}_bill`)] })],
    models: {
      [id]: [transfer(`${id}_bill`)],
      [`${id}_bill`]: [transfer(id), transfer(id), { content: "billed" }],
    },
    settings: { maxHandoffs },
  })),
  fc.integer({ min: 1, max: 3 }).map((maxModelCallsPerTurn) => ({
    agents: [llm(id, { tools: [`${id}_find`] })],
    tools: [httpTool(`${id}_find`, { outputKey: "found" })],
    models: { [id]: [{ content: "more", toolCalls: [call(`${id}_find`)] }] },
    services: { [`${id}_find`]: [{ hits: 0 }, "nothing"] },
    settings: { maxModelCallsPerTurn },
  })),
  // An agent tool that may pause, and an agent with a deadline.
  fc
    .tuple(
      fc.boolean(),
      fc.constantFrom({}, { maxDuration: 700 }, { maxDuration: 300 }),
      fc.constantFrom({}, { maxDuration: 1_500 }, {}),
    )
    .map(([skipSummarization, hurry, settings]) => ({
      agents: [
        llm(id, { tools: [`${id}_ask`], ...hurry }),
        sequence(`${id}_team`, [`${id}_inner`, `${id}_person`]),
        llm(`${id}_inner`),
        human(`${id}_person`),
      ],
      tools: [agentTool(`${id}_ask`, `${id}_team`, { skipSummarization, outputKey: "asked" })],
      models: {
        [id]: [
          { content: null, toolCalls: [call(`${id}_ask`), call(`${id}_ask`, "b")] },
          { content: "asked" },
        ],
        [`${id}_inner`]: [
          { content: "inner" },
          { content: "why?", waitForUserInput: true },
          { content: "out", exitFlow: true },
          { status: 400 },
        ],
      },
      settings,
    })),
]

/** Branches over a list. Some branches fail, wait or complete the block early. */
const overList: fc.Arbitrary<WorkflowPart> = fc
  .record({
    failurePolicy: fc.constantFrom("fail-fast", "collect", "wait-all"),
    count: fc.integer({ min: 0, max: 4 }),
    most: fc.constantFrom({}, { maxConcurrency: 1 }, { maxConcurrency: 2 }),
    completion: fc.constantFrom("all", "first-success", "first-success", { quorum: 2 }),
    asks: fc.boolean(),
    when: fc.constantFrom({}, {}, { when: `session_state['${id}_page_index'] != 1` }),
    nested: fc.boolean(),
  })
  .map(({ failurePolicy, count, most, completion, asks, when, nested }) => ({
    agents: [
      parallel(id, [{ agentId: `${id}_lane`, ...when }], {
        failurePolicy,
        completion,
        ...most,
        forEach: {
          items: `list(range(${count}))`,
          as: `${id}_page`,
          maxItems: 3,
          collect: { [`${id}_all`]: nested ? `${id}_inner` : `${id}_two_text` },
        },
      }),
      nested
        ? parallel(`${id}_lane`, [`${id}_two`], {
            failurePolicy: "collect",
            forEach: {
              items: `[session_state['${id}_page'], 'x']`,
              collect: { [`${id}_inner`]: `${id}_two_text` },
            },
          })
        : sequence(`${id}_lane`, [`${id}_one`, `${id}_two`]),
      ...(nested ? [] : [asks ? human(`${id}_one`) : llm(`${id}_one`)]),
      llm(`${id}_two`),
    ],
    models: {
      [`${id}_one`]: [{ content: "one" }, { status: 400 }, { content: "out", escalate: true }],
      [`${id}_two`]: [
        { content: "two" },
        { status: 400 },
        { content: "well?", waitForUserInput: true },
        { content: "two again" },
      ],
    },
  }))

/** Long-running calls and requests for consent, which are rare otherwise. */
const shipping: fc.Arbitrary<WorkflowPart> = fc
  .tuple(expiring, fc.constantFrom(...consents))
  .map(([fields, said]) => ({
    agents: [llm(id, { tools: [`${id}_ship`] })],
    tools: [
      httpTool(`${id}_ship`, {
        ...("expiresIn" in fields ? { ...fields } : {}),
        outputKey: "shipped",
      }),
    ],
    models: {
      [id]: [
        { content: null, toolCalls: [call(`${id}_ship`), call(`${id}_ship`, "s")] },
        { content: "shipped" },
      ],
    },
    services: { [`${id}_ship`]: said },
  }))

const agentOf = (type: string, id: string, fields: Fields): Fields => ({ type, id, ...fields })
const hooks = fc.subarray(
  [
    "beforeModelCallback",
    "afterModelCallback",
    "onModelErrorCallback",
    "beforeToolCallback",
    "afterToolCallback",
    "onToolErrorCallback",
    "beforeAgentCallback",
    "afterAgentCallback",
  ],
  { minLength: 1, maxLength: 3 },
)

const custom: fc.Arbitrary<WorkflowPart> = fc.constant({
  agents: [
    agentOf("CustomAgent", id, {
      service: "director",
      subAgents: [{ agentId: `${id}_one` }, { agentId: `${id}_two` }],
    }),
    llm(`${id}_one`),
    human(`${id}_two`),
  ],
  models: {
    [`${id}_one`]: [{ content: "one" }, { content: null, escalate: true }, { status: 400 }],
  },
})

const graph: fc.Arbitrary<WorkflowPart> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.boolean())
  .map(([maxIterations, goesBack]) => ({
    agents: [
      agentOf("Workflow", id, {
        maxIterations,
        edges: [
          ["START", [`${id}_a`, `${id}_f`], `${id}_join`, `${id}_route`],
          {
            from: `${id}_route`,
            routes: { left: `${id}_b`, right: goesBack ? `${id}_a` : `${id}_h` },
            default: `${id}_tool`,
          },
        ],
      }),
      llm(`${id}_a`),
      llm(`${id}_b`),
      human(`${id}_h`),
      agentOf("FunctionNode", `${id}_f`, { service: "node" }),
      agentOf("JoinNode", `${id}_join`, {}),
      agentOf("RouterNode", `${id}_route`, { service: "choose" }),
      agentOf("ToolNode", `${id}_tool`, { tool: `${id}_calc` }),
    ].filter(({ id: name }) => (goesBack ? name !== `${id}_h` : true)),
    tools: [agentOf("FunctionTool", `${id}_calc`, { service: "calc" })],
    models: {
      [`${id}_a`]: [{ content: "a" }, { content: "sure?", waitForUserInput: true }],
      [`${id}_b`]: [{ content: "b" }],
    },
  }))

const functions: fc.Arbitrary<WorkflowPart> = fc
  .tuple(fc.constantFrom(true, true, true, true, false), expiring)
  .map(([requireConfirmation, fields]) => ({
    agents: [llm(id, { tools: [`${id}_calc`, `${id}_ship`, `${id}_box`] })],
    tools: [
      agentOf("FunctionTool", `${id}_calc`, { service: "calc", requireConfirmation, ...fields }),
      agentOf("LongRunningFunctionTool", `${id}_ship`, { service: "ship", ...fields }),
      agentOf("Toolset", `${id}_box`, { service: "box" }),
    ],
    models: {
      [id]: [
        {
          content: null,
          toolCalls: [call(`${id}_calc`, "c"), call(`${id}_ship`, "s"), call("dig", "d")],
        },
        { content: null, toolCalls: [call("dig"), call(`${id}_calc`)] },
        { content: null, toolCalls: [call(`${id}_calc`)] },
        { content: "calculated" },
      ],
    },
  }))

const ofAdk: readonly fc.Arbitrary<WorkflowPart>[] = [
  // Callbacks.
  hooks.map((moments) => ({
    agents: [
      llm(id, {
        tools: [`${id}_calc`],
        ...Object.fromEntries(moments.map((moment) => [moment, "hook"])),
      }),
    ],
    tools: [agentOf("FunctionTool", `${id}_calc`, { service: "calc" })],
    models: {
      [id]: [
        { content: null, toolCalls: [call(`${id}_calc`, "c")] },
        { content: "called back" },
        { status: 503 },
      ],
    },
  })),
  fc.constant({
    agents: [
      {
        ...sequence(id, [`${id}_one`]),
        beforeAgentCallback: "hook",
        afterAgentCallback: ["hook", "hook"],
      },
      llm(`${id}_one`, { instruction: { service: "tell" } }),
    ],
    models: { [`${id}_one`]: [{ content: "one" }] },
  }),
  // Plugins that check or observe calls.
  fc
    .constantFrom(
      { plugins: [{ type: "SecurityPlugin", policyEngine: "judge" }] },
      { plugins: ["audit"] },
      {
        plugins: [
          { type: "Plugin", name: "all", beforeToolCallback: "hook" },
          { type: "SecurityPlugin", policyEngine: "judge" },
        ],
      },
    )
    .map((settings) => ({
      agents: [llm(id, { tools: [`${id}_find`, `${id}_calc`] })],
      tools: [httpTool(`${id}_find`), agentOf("FunctionTool", `${id}_calc`, { service: "calc" })],
      models: {
        [id]: [
          { content: null, toolCalls: [call(`${id}_find`, "f"), call(`${id}_calc`, "c")] },
          { content: "judged" },
        ],
      },
      services: { [`${id}_find`]: [{ hits: 1 }, { status: 400 }] },
      settings,
    })),
  // A loop that ends because of a tool or a limit.
  fc.constantFrom({ maxIterations: 2 }, { maxIterations: 3 }, {}).map((most) => ({
    agents: [
      agentOf("LoopAgent", id, { subAgents: [{ agentId: `${id}_one` }], ...most }),
      llm(`${id}_one`, { tools: ["exit_loop"] }),
    ],
    models: {
      [`${id}_one`]: [
        { content: "once more" },
        { content: null, toolCalls: [call("exit_loop", "e", {})] },
        { content: "hm" },
      ],
    },
  })),
  // A schema.
  fc.boolean().map((structuredOutputWithTools) => ({
    agents: [
      llm(id, {
        outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        structuredOutputWithTools,
      }),
    ],
    models: { [id]: [{ content: '{"n": 1}' }, { content: "no JSON" }] },
  })),
]

const often = (
  weight: number,
  made: readonly fc.Arbitrary<WorkflowPart>[],
): readonly { readonly weight: number; readonly arbitrary: fc.Arbitrary<WorkflowPart> }[] =>
  made.map((arbitrary) => ({ weight, arbitrary }))

/** Generates a part. Parts of rare features are generated more often. */
export const workflowPart = (dialect: Dialect): fc.Arbitrary<WorkflowPart> =>
  fc.oneof(
    ...often(4, parts),
    ...often(6, rare),
    ...often(24, [shipping]),
    ...often(8, [overList]),
    ...(dialect === "adk"
      ? [...often(5, ofAdk), ...often(18, [custom, graph, triggeredGraph, machineAgent, functions])]
      : []),
  )

/** Returns the part with this id, which becomes the prefix of the ids of its agents and tools. */
export const withPrefix = (made: WorkflowPart, at: string): WorkflowPart =>
  JSON.parse(JSON.stringify(made).replaceAll(id, at)) as WorkflowPart
