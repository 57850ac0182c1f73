import * as fc from "fast-check"
import { human, llm } from "../support/workflow.js"
import type { WorkflowPart } from "./workflow-parts.js"

type Fields = Readonly<Record<string, unknown>>

/** Placeholder for the id of a part. */
const id = "@"

const agentOf = (type: string, name: string, fields: Fields): Fields => ({
  type,
  id: name,
  ...fields,
})

const anything = { type: "object" }

/** Options of a node that calls a host function. */
const codeOptions = fc.constantFrom<Fields>(
  {},
  { retryConfig: { maxAttempts: 3, initialDelay: 0.1, jitter: 0.5 } },
  { timeout: 0.02 },
  { timeout: 0.02, retryConfig: { maxAttempts: 2, initialDelay: 0.05, exceptions: ["Error"] } },
  { parallelWorker: true, maxParallelWorkers: 2 },
  { waitForOutput: true },
  { inputSchema: anything },
  { outputSchema: anything },
  { stateSchema: { type: "object", properties: { host: {} } } },
)

/** Options of an LlmAgent. */
const agentOptions = fc.constantFrom<Fields>(
  {},
  {},
  { seesConversation: true },
  { timeout: 0.4, retryConfig: { maxAttempts: 2, initialDelay: 0.05 } },
  { parallelWorker: true },
  { task: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
)

const finish = {
  content: null,
  toolCalls: [{ id: "f", function_name: "finish_task", function_args: { n: 1 } }],
}

/** A graph with `triggering: "each"`: several triggers, a join, a cycle, questions, a nested graph. */
export const triggeredGraph: fc.Arbitrary<WorkflowPart> = fc
  .record({
    maxIterations: fc.integer({ min: 2, max: 4 }),
    most: fc.constantFrom({}, { maxConcurrency: 1 }, { maxConcurrency: 2 }),
    code: codeOptions,
    agent: agentOptions,
    asksAgain: fc.boolean(),
    right: fc.constantFrom("a", "h", "inner"),
    joins: fc.boolean(),
  })
  .map(({ maxIterations, most, code, agent, asksAgain, right, joins }) => {
    const nodes = [
      llm(`${id}_a`),
      llm(`${id}_b`),
      human(`${id}_h`),
      agentOf("FunctionNode", `${id}_f`, { service: "node" }),
      agentOf("FunctionNode", `${id}_q`, { service: "asker" }),
      agentOf("JoinNode", `${id}_join`, {}),
      agentOf("RouterNode", `${id}_route`, { service: "choose" }),
      agentOf("ToolNode", `${id}_tool`, { tool: `${id}_calc` }),
      agentOf("Workflow", `${id}_inner`, {
        triggering: "each",
        edges: [
          ["START", [`${id}_inner_x`, `${id}_inner_y`]],
          [`${id}_inner_x`, `${id}_inner_y`],
        ],
      }),
      llm(`${id}_inner_x`),
      agentOf("FunctionNode", `${id}_inner_y`, { service: "node" }),
    ]
    const unused = new Set([
      ...(right === "h" ? [] : [`${id}_h`]),
      ...(right === "inner" ? [] : [`${id}_inner`, `${id}_inner_x`, `${id}_inner_y`]),
      ...(joins ? [] : [`${id}_join`]),
    ])
    return {
      agents: [
        agentOf("Workflow", id, {
          triggering: "each",
          maxIterations,
          ...most,
          edges: [
            ["START", [`${id}_a`, `${id}_f`, `${id}_q`]],
            ...(joins
              ? [[[`${id}_a`, `${id}_f`], `${id}_join`, `${id}_route`]]
              : [[[`${id}_a`, `${id}_f`], `${id}_route`]]),
            [`${id}_q`, `${id}_b`],
            {
              from: `${id}_route`,
              routes: { left: `${id}_b`, right: `${id}_${right}` },
              default: `${id}_tool`,
            },
          ],
          nodeOptions: {
            [`${id}_f`]: code,
            [`${id}_b`]: agent,
            [`${id}_q`]: { returnsNodeResult: true, rerunOnResume: asksAgain },
          },
        }),
        ...nodes.filter(({ id: name }) => !unused.has(String(name))),
      ],
      tools: [agentOf("FunctionTool", `${id}_calc`, { service: "calc" })],
      models: {
        [`${id}_a`]: [
          { content: "a" },
          { content: "sure?", waitForUserInput: true },
          { content: "out", exitFlow: true },
          { content: "a" },
        ],
        [`${id}_b`]: [{ content: "b" }, finish, { status: 400 }, finish],
        [`${id}_inner_x`]: [{ content: "x" }, { content: "up", escalate: true }],
      },
    }
  })

/** An XState machine that runs agents, promises and timers, and waits for events of a person. */
export const machineAgent: fc.Arbitrary<WorkflowPart> = fc
  .tuple(
    fc.constantFrom({}, { maxAgentRuns: 1 }, { maxAgentRuns: 3 }),
    fc.constantFrom({}, { input: ["shared"] }, { input: { word: "a0_text" } }),
    fc.boolean(),
  )
  .map(([limits, input, asks]) => ({
    agents: [
      agentOf("MachineAgent", id, {
        service: `${id}_machine`,
        outputKey: `${id}_trail`,
        subAgents: [{ agentId: `${id}_one` }, { agentId: `${id}_two` }],
        ...limits,
        ...input,
      }),
      llm(`${id}_one`, { outputKey: "shared" }),
      asks ? human(`${id}_two`) : llm(`${id}_two`, { outputKey: "shared" }),
    ],
    models: {
      [`${id}_one`]: [
        { content: "one" },
        { content: null, escalate: true },
        { status: 400 },
        { content: "well?", waitForUserInput: true },
      ],
      [`${id}_two`]: [{ content: "two" }, { content: "two", exitFlow: true }, { content: "on" }],
    },
  }))
