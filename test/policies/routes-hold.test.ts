import { expect, test } from "vitest"
import { analyzeChart } from "../../src/analysis/index.js"
import { compile, readPolicies } from "../../src/compiler/index.js"
import type { RunEvent } from "../../src/machines/contract/run-event.js"
import { CallFailedError } from "../../src/machines/contract/services.js"
import { createRunner } from "../../src/runtime/runner/runner.js"
import { randomFrom } from "../kill/random.mjs"
import { randomCases, seed } from "../support/random-cases.js"

const charts = randomCases(100)
const runsOfEach = 12

const keys = ["k0", "k1", "k2"]
const values = ["x", "y", "z"]

/** Generates random workflows whose agents select their models by keys that agents and tools write. */
function workflows(next: () => number) {
  const pick = <Value>(list: readonly Value[]): Value =>
    list[Math.floor(next() * list.length)] as Value
  const chance = (probability: number): boolean => next() < probability
  const condition = (): string => {
    const [key, value] = [pick(keys), pick(values)]
    return pick([
      `session_state['${key}'] == '${value}'`,
      `session_state.get('${key}') == '${value}'`,
      `session_state.get('${key}') != '${value}'`,
      `'${key}' in session_state`,
      `'${key}' in session_state and session_state.get('${pick(keys)}') == '${value}'`,
      `session_state.get('current_agent_loop_iteration', 0) > 0`,
    ])
  }
  return () => {
    const agents: object[] = []
    const leaf = (): string => {
      const id = `a${agents.length}`
      agents.push({
        type: "LlmAgent",
        id,
        model: "own",
        ...(chance(0.7) && { outputKey: pick(keys) }),
        ...(chance(0.7)
          ? {
              routes: Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({
                when: condition(),
                model: pick(["m0", "m1", "m2"]),
              })),
              ...(chance(0.4) && { fallback: pick([["f0"], ["m1", "own"], ["f0", "m2"]]) }),
            }
          : chance(0.4) && { fallback: ["f0", "m1"] }),
        ...(chance(0.4) && { tools: [pick(["t0", "t1"])] }),
      })
      return id
    }
    const block = (depth: number): string => {
      if (depth === 0 || chance(0.3)) return leaf()
      const subAgents = Array.from({ length: 1 + Math.floor(next() * 3) }, () => ({
        agentId: block(depth - 1),
        ...(chance(0.2) && { when: condition() }),
      }))
      const id = `a${agents.length}`
      const type = pick(["SequentialAgent", "SequentialAgent", "ParallelAgent", "LoopAgent"])
      agents.push({
        type,
        id,
        subAgents,
        ...(type === "LoopAgent" && { maxAgentLoopIterations: 2 }),
      })
      return id
    }
    const first = block(1)
    const second = block(2)
    agents.push({
      type: "SequentialAgent",
      id: "all",
      subAgents: [{ agentId: first }, { agentId: second }],
    })
    const tool = (id: string, outputKey: string) => ({
      type: "HttpTool",
      id,
      outputKey,
      httpConfig: { url: `https://tools.test/${id}`, method: "POST" },
    })
    return {
      rootAgentId: "all",
      initialUserInput: "Go.",
      maxModelCallsPerTurn: 2,
      maxOrchestrationCycles: 1,
      onConditionError: pick(["fail", "continue"]),
      ...(chance(0.5) && { state: { [pick(keys)]: pick(values) } }),
      agents,
      globalTools: [tool("t0", "k0"), tool("t1", "k1")],
    }
  }
}

const rules = [
  ...["own", "m0", "m1", "m2", "f0"].map((model) => `never: { model: ${model} }`),
  ...["m0", "m1", "m2"].map(
    (model) => `allow: { model: ${model} }\n    onlyAfter: { result: '*' }`,
  ),
  ...["m0", "m1", "m2"].map((model) => `never: { model: ${model} }\n    after: { model: m1 }`),
  "allow: { run: failed }\n    onlyAfter: { model: '*' }",
  "never: { run: failed }",
]

test(
  `no run of ${charts} random workflows with routes violates a proved policy (seed ${seed})`,
  { timeout: 600_000 },
  async () => {
    const next = randomFrom(seed)
    const pick = <Value>(list: readonly Value[]): Value =>
      list[Math.floor(next() * list.length)] as Value
    const workflow = workflows(next)
    let proved = 0
    let violations = 0
    for (let count = 0; count < charts; count++) {
      const config = workflow()
      const { chart } = compile(config)
      const { policies } = readPolicies(
        `policies:\n${rules.map((rule, index) => `  - name: p${index}\n    ${rule}\n`).join("")}assume: { modelSignals: none, startState: chart }`,
      )
      if (chart === null || policies === null) throw new Error(JSON.stringify(config))
      const verdicts = new Map(
        analyzeChart(chart, { policies }).policies.map(({ name, verdict }) => [name, verdict]),
      )
      proved += [...verdicts.values()].filter((verdict) => verdict === "proved").length
      for (let run = 0; run < runsOfEach; run++) {
        const model = {
          call: async ({ tools }: { readonly tools: readonly object[] }) => {
            const chosen = next()
            if (chosen < 0.15)
              throw new CallFailedError({
                code: "model_call_failed",
                message: "the server answered 503",
                retryable: false,
                status: 503,
              })
            if (chosen < 0.5 && tools.length > 0) {
              const [declared] = tools as readonly {
                readonly function: { readonly name: string }
              }[]
              return {
                content: null,
                toolCalls: [{ function_name: declared?.function.name, function_args: {} }],
              }
            }
            return { content: pick(values) }
          },
        }
        const tool = {
          call: async () => (next() < 0.8 ? { found: 1 } : Promise.reject(new Error("no"))),
        }
        const events: RunEvent[] = []
        const started = createRunner({
          models: { own: model, m0: model, m1: model, m2: model, f0: model },
          tools: { t0: tool, t1: tool },
          policies,
        }).start(chart)
        started.events$.subscribe((event) => events.push(event))
        await started.result
        for (const event of events) {
          if (event.type !== "policy.violated") continue
          violations++
          expect(verdicts.get(event.policy), JSON.stringify(config)).not.toBe("proved")
        }
      }
    }
    expect(proved).toBeGreaterThan(charts)
    expect(violations).toBeGreaterThan(charts)
  },
)
