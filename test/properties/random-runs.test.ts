import { describe, test } from "vitest"
import { tryProperty } from "./all-properties.js"
import { Coverage } from "./coverage.js"
import { randomCases, seed } from "../support/random-cases.js"

const cases = randomCases(1_000)
const timeout = 240_000 + cases * 400

const coverage = new Coverage()

describe(`random workflows, services and people, ${cases} cases each, seed ${seed}`, () => {
  test(
    "a run ends, leaves nothing active, and is the same in both interpreters",
    () => tryProperty("ends and agrees", "both", { cases, seed }, coverage),
    timeout,
  )

  test(
    "a run is the same if its journal is replayed, and has the same result if it is killed and resumed",
    () => tryProperty("survives", "both", { cases, seed: seed + 1 }, coverage),
    timeout,
  )

  test("every feature occurs often enough in the random runs", () => {
    console.log(`${coverage.runs} random runs: ${coverage}`)
    coverage.expectEach(everything, cases / 16)
    coverage.expectEach(seldom, cases / 100)
  })
})

const everything = [
  ...[
    "LlmAgent",
    "SequentialAgent",
    "ParallelAgent",
    "LoopAgent",
    "HumanAgent",
    "MachineAgent",
    "CustomAgent",
    "Workflow",
    "FunctionNode",
    "JoinNode",
    "RouterNode",
    "ToolNode",
  ].map((kind) => `agent ${kind}`),
  "node that is triggered",
  "node of a task graph",
  "state of a machine",
  ...["exitFlow", "escalate", "waitForUserInput", "hitlRequest", "toolCalls", "transfer"].map(
    (signal) => `signal ${signal}`,
  ),
  ...["approval", "input", "human", "tool", "auth", "that expires"].map((kind) => `pause ${kind}`),
  ...[
    "failurePolicy fail-fast",
    "failurePolicy collect",
    "failurePolicy wait-all",
    "onConditionError",
    "onExpiry reject",
    "onExpiry fail",
    "onExpiry continue",
    "retry",
    "requireConfirmation",
    "when",
  ].map((policy) => `policy ${policy}`),
  ...["completed", "failed", "limit", "cancelled"].map((status) => `outcome ${status}`),
]

/** Features that occur less often, because they need several conditions at once. */
const seldom = [
  "died between host steps",
  ...["HttpTool", "AgentTool", "FunctionTool", "listed"].map((type) => `tool ${type}`),
  ...[
    "budget",
    "maxDuration",
    "maxDuration of an agent",
    "maxModelCalls",
    "maxModelCallsPerTurn",
    "maxOrchestrationCycles",
    "maxHandoffs",
  ].map((limit) => `limit ${limit}`),
  ...["exit_condition", "max_agent_loop_iterations", "escalate"].map(
    (reason) => `loop ended by ${reason}`,
  ),
  "branches over a list",
  "an empty list",
  "early completion",
]
