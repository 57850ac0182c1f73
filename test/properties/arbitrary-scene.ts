import * as fc from "fast-check"
import { scriptedWorkflow } from "../support/arbitrary-workflow.js"
import { garbageKinds } from "./garbage.js"
import type { Move } from "./person.js"
import type { Scene } from "./play.js"
import { workflowPart, withPrefix } from "./workflow-parts.js"
import { addToAgent, extraFieldsOf, addToWorkflow } from "./extra-fields.js"

export type Dialect = "graph-compose" | "adk"

/** A config and everything that happens during its run. */
export interface Tale {
  readonly dialect: Dialect
  readonly maxRegions: number
  readonly config: Readonly<Record<string, unknown>>
  readonly scene: Scene
}

/** An additional behavior of one of the services. */
interface Mishap {
  readonly who: number
  readonly what: unknown
  /** Whether it replaces all other behavior of the service. */
  readonly always: boolean
}

const signals = fc.constantFrom(
  { content: "left", exitFlow: true },
  { content: "up", escalate: true },
  { content: "well?", waitForUserInput: true },
  { content: null, waitForUserInput: true },
  { content: "may I?", hitlRequest: { prompt: "may I?", actionDetails: { amount: 3 } } },
  {
    content: "both",
    toolCalls: [{ id: "h", function_name: "find", function_args: { q: 1 } }],
    hitlRequest: { prompt: "search?" },
  },
  {
    content: "all",
    toolCalls: [
      { id: "f1", function_name: "find" },
      { id: "f1", function_name: "order" },
      { function_name: "ask_helper", function_args: { request: "?" } },
    ],
    escalate: true,
  },
  {
    content: "x",
    toolCalls: [{ function_name: "order" }, { function_name: "order" }],
    exitFlow: true,
    waitForUserInput: true,
  },
  { content: "used", usage: { inputTokens: 30, outputTokens: 20 } },
  {
    content: "go",
    toolCalls: [
      { id: "t", function_name: "transfer_to_agent", function_args: { agent_name: "nobody" } },
    ],
  },
)

const failures = fc.constantFrom(
  { status: 503 },
  { status: 429, retryAfterMs: 700 },
  { status: 400 },
  { status: 500, retryAfterMs: 5_000 },
  { throws: "error" },
  { throws: "nothing" },
  { throws: "at once" },
  { throws: "no words" },
  { hangs: true },
)

const toolResults = fc.constantFrom(
  { pending: true },
  { pending: true, ticket: { n: 1 } },
  { pending: true, auth: { url: "https://consent.test/" } },
  { ok: 1 },
  "text",
  [1],
  0,
  null,
)

const someGarbage: fc.Arbitrary<unknown> = fc
  .integer({ min: 0, max: garbageKinds - 1 })
  .map((index) => ({ garbage: index }))

const mishap: fc.Arbitrary<Mishap> = fc.record({
  who: fc.nat(40),
  what: fc.oneof(
    { weight: 4, arbitrary: signals },
    { weight: 3, arbitrary: failures },
    { weight: 2, arbitrary: toolResults },
    { weight: 1, arbitrary: someGarbage },
  ),
  always: fc.boolean(),
})

const move: fc.Arbitrary<Move> = fc.record({
  after: fc.integer({ min: 1, max: 4_000_000 }).map((part) => part / 1_024),
  what: fc.constantFrom(
    "say",
    "wrong id",
    "wrong kind",
    "no message",
    "end",
    "cancel",
    "cancel",
    "cancel",
    "cancel",
  ),
})

/** How several workflow parts are combined. If null, only the first part is used. */
const surroundings = [
  { type: "ParallelAgent", failurePolicy: "collect" },
  { type: "ParallelAgent", failurePolicy: "collect" },
  { type: "SequentialAgent" },
  { type: "ParallelAgent", failurePolicy: "collect", maxConcurrency: 2 },
  { type: "ParallelAgent", failurePolicy: "wait-all" },
  { type: "LoopAgent", maxAgentLoopIterations: 2 },
  null,
  null,
  null,
  { type: "ParallelAgent" },
] as const

/**
 * Random trees of all agent types with random limits and policies, services with random behavior, and people who answer requests,
 * send unrequested messages, or stop the run.
 */
export const tale = (dialect: Dialect): fc.Arbitrary<Tale> =>
  fc
    .record({
      workflow: scriptedWorkflow,
      parts: fc.array(workflowPart(dialect), { minLength: 1, maxLength: 6, size: "max" }),
      around: fc.constantFrom(...surroundings),
      hasTree: fc.constantFrom(false, false, true),
      isThrifty: fc.constantFrom(false, false, false, true),
      extras: fc.array(fc.record({ who: fc.nat(40), what: extraFieldsOf(dialect) }), {
        maxLength: 5,
      }),
      mishaps: fc.array(mishap, { maxLength: 4 }),
      moves: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(move, { maxLength: 3 }) },
      ),
      seed: fc.nat(),
      talks: fc.nat(2),
      isDeaf: fc.boolean(),
      maxRegions: fc.constantFrom(2, 4, 16),
    })
    .map(
      ({
        workflow,
        parts,
        around,
        hasTree,
        isThrifty,
        extras,
        mishaps,
        moves,
        seed,
        talks,
        isDeaf,
        maxRegions,
      }) => {
        const config = structuredClone({
          rootAgentId: "a0",
          agents: workflow.agents,
          initialUserInput: "go",
          ...workflow.fields,
        }) as Record<string, unknown>
        const models: Record<string, unknown[]> = Object.fromEntries(
          Object.entries(workflow.models).map(([id, said]) => [id, [...said]]),
        )
        const tools: Record<string, unknown[]> = Object.fromEntries(
          Object.entries(workflow.tools).map(([id, said]) => [id, [...said]]),
        )
        const placed = parts.map((one, index) => withPrefix(one, `s${index}`))
        for (const {
          agents,
          tools: declared = [],
          models: said,
          services = {},
          settings = {},
        } of placed) {
          const { agents: all, globalTools: known } = config as {
            readonly agents: unknown[]
            readonly globalTools: unknown[]
          }
          all.push(...agents)
          known.push(...declared)
          Object.assign(models, said)
          Object.assign(tools, services)
          Object.assign(config, settings)
        }
        if (placed.length > 0) {
          const subAgents = [
            ...placed.map((_, index) => `s${index}`),
            ...(hasTree ? ["a0"] : []),
          ].map((agentId) => ({ agentId }))
          const agents = config["agents"] as unknown[]
          if (around !== null) agents.push({ id: "main", subAgents, ...around })
          config["rootAgentId"] = around === null ? "s0" : "main"
          if (!isThrifty) Object.assign(config, { maxModelCalls: 200 })
        }
        for (const { who, what } of extras)
          if (!addToWorkflow(config, what)) addToAgent(config, who, what)
        const services = [...Object.values(models), ...Object.values(tools)]
        for (const { who, what, always } of mishaps) {
          const said = services[who % services.length]
          if (always) said?.splice(0)
          said?.push(what)
        }
        return {
          dialect,
          maxRegions,
          config,
          scene: {
            repertoire: { seed, models, tools, isDeaf },
            moves,
            talks: dialect === "adk" ? talks : 0,
          },
        }
      },
    )
