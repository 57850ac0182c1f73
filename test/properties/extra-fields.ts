import * as fc from "fast-check"
import type { Dialect } from "./arbitrary-scene.js"

type Fields = Record<string, unknown>

/** Additional fields of an agent, a tool or the workflow: limits, policies and times. */
export interface ExtraFields {
  readonly of: "workflow" | "LlmAgent" | "HumanAgent" | "LoopAgent" | "ParallelAgent" | "tool"
  readonly fields: Readonly<Fields>
}

const onExpiry = fc.constantFrom("reject", "fail", "continue", undefined)
const times = fc.constantFrom(90, 300, 800, 1_500)
const exceeded = fc.constantFrom("limit", "ask", { message: "I have to stop here." })

const budget = fc
  .record({
    most: fc.constantFrom(
      { maxModelCalls: 1 },
      { maxModelCalls: 3 },
      { maxTokens: 60 },
      { maxOutputTokens: 20 },
    ),
    onExceeded: exceeded,
  })
  .map(({ most, onExceeded }) => ({ ...most, onExceeded }))

const activity = fc
  .record({
    maximumAttempts: fc.integer({ min: 1, max: 4 }),
    initialInterval: fc.constantFrom(10, 200, "1s"),
    backoffCoefficient: fc.constantFrom(1, 2, 3.5),
    maximumInterval: fc.constantFrom(300, undefined),
    startToCloseTimeout: fc.constantFrom(200, 600, undefined),
    scheduleToCloseTimeout: fc.constantFrom(900, "3s", undefined),
  })
  .map(({ startToCloseTimeout, scheduleToCloseTimeout, ...retryPolicy }) => ({
    startToCloseTimeout,
    scheduleToCloseTimeout,
    retryPolicy,
  }))

const of = (
  owner: ExtraFields["of"],
  fields: fc.Arbitrary<Readonly<Fields>>,
): fc.Arbitrary<ExtraFields> => fields.map((given) => ({ of: owner, fields: given }))

const expiry = fc.record({ expiresIn: times, onExpiry })

const common: readonly fc.Arbitrary<ExtraFields>[] = [
  of("workflow", fc.record({ maxDuration: fc.constantFrom(500, 2_000, "5s") })),
  of("workflow", fc.record({ budget })),
  of("workflow", fc.record({ onConditionError: fc.constant("continue") })),
  of(
    "workflow",
    fc.record({
      maxOrchestrationCycles: fc.integer({ min: 1, max: 6 }),
      maxHandoffs: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  of("workflow", fc.record({ maxModelCallsPerTurn: fc.integer({ min: 1, max: 3 }) })),
  of(
    "workflow",
    fc.record({
      stateMerge: fc.record({
        shared: fc.constantFrom("append", "union", "add", "max", "min", "replace"),
        found: fc.constantFrom("append", "union"),
      }),
    }),
  ),
  of(
    "workflow",
    fc.record({
      state: fc.constantFrom(
        { shared: 1 },
        { shared: ["a"] },
        { flag: 0 },
        JSON.parse('{"__proto__":{"a":1},"constructor":"x","a0_text":"ok"}') as Fields,
      ),
    }),
  ),
  of("LlmAgent", expiry),
  of("LlmAgent", fc.record({ maxDuration: times })),
  of("LlmAgent", fc.record({ budget })),
  of("LlmAgent", fc.record({ activityConfig: activity })),
  of("LlmAgent", fc.record({ outputKey: fc.constantFrom("shared", "__proto__", "a1_text") })),
  of(
    "LlmAgent",
    fc.record({ disallowTransferToParent: fc.boolean(), disallowTransferToPeers: fc.boolean() }),
  ),
  of("LlmAgent", fc.record({ tools: fc.constant(["find", "order", "ask_helper"]) })),
  of(
    "HumanAgent",
    fc.record({
      expiresIn: fc.constantFrom(90, 300, 800, 1_500, undefined),
      onExpiry,
      choices: fc.constantFrom(["yes", "No way"], ["ok"], [1, 2.5, "b"], [true, false], undefined),
      show: fc.constantFrom(["a0_text", "shared"], ["__proto__", "found", "ghost"], undefined),
      prompt: fc.constantFrom("{a0_text} or {ghost?}?", "{{ {shared} }} {ghost}", undefined),
    }),
  ),
  of(
    "LoopAgent",
    fc.record({
      loopExitCondition: fc.constantFrom(
        "True",
        "session_state['loop'] > 1",
        "session_state['current_agent_loop_iteration'] >= 1",
        "1 / 0 > 1",
        "session_state.get('shared') == 'ok'",
      ),
    }),
  ),
  of("ParallelAgent", fc.record({ maxConcurrency: fc.integer({ min: 1, max: 3 }) })),
  of("tool", expiry),
  of("tool", fc.record({ activityConfig: activity })),
  of("tool", fc.record({ skipSummarization: fc.constant(true) })),
]

const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] }

const ofAdk: readonly fc.Arbitrary<ExtraFields>[] = [
  of(
    "LlmAgent",
    fc.record({ tools: fc.subarray(["find", "order", "exit_loop"], { minLength: 1 }) }),
  ),
  of("LlmAgent", fc.record({ includeContents: fc.constant("none") })),
  of(
    "LlmAgent",
    fc.record({
      instruction: fc.constantFrom("Say {a1_text?}.", "Say {a0_text}.", "Say {{ghost?}}.", ""),
    }),
  ),
  of(
    "LlmAgent",
    fc.record({ outputSchema: fc.constant(schema), structuredOutputWithTools: fc.constant(true) }),
  ),
  of("tool", fc.record({ requireConfirmation: fc.constant(true) })),
]

export const extraFieldsOf = (dialect: Dialect): fc.Arbitrary<ExtraFields> =>
  fc.oneof(...common, ...(dialect === "adk" ? ofAdk : []))

/** Adds the fields to the workflow if they are fields of a workflow. Returns whether they are. */
export function addToWorkflow(config: Fields, { of: owner, fields }: ExtraFields): boolean {
  if (owner === "workflow") Object.assign(config, fields)
  return owner === "workflow"
}

/** Adds the fields to an agent or tool of their kind, which the number selects. Does nothing if there is none. */
export function addToAgent(config: Fields, who: number, { of: owner, fields }: ExtraFields): void {
  const fitting =
    owner === "tool"
      ? (config["globalTools"] as Fields[])
      : agentsIn(config["agents"] as Fields[]).filter(
          ({ type, id, outputSchema }) =>
            type === owner &&
            (id !== "helper" || !("tools" in fields)) &&
            (outputSchema === undefined || !("tools" in fields)),
        )
  const chosen = fitting[who % Math.max(1, fitting.length)]
  if (chosen === undefined) return
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined || (field === "skipSummarization" && chosen["type"] !== "AgentTool"))
      continue
    if (
      chosen["type"] === "AgentTool" &&
      ["expiresIn", "onExpiry", "requireConfirmation"].includes(field)
    )
      continue
    chosen[field] = value
  }
}

/** Returns all agents, including nested agents. */
export const agentsIn = (agents: readonly Readonly<Fields>[]): readonly Fields[] =>
  agents.flatMap((agent) => [
    agent,
    ...agentsIn(
      ((agent["subAgents"] as Fields[] | undefined) ?? []).filter((child) => "type" in child),
    ),
  ])
