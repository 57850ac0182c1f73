import type { GroupPlan, Plan, PlanChild, PlannedAgent } from "./plan.js"

/**
 * Returns the plan of a MachineAgent, which describes the agents that it can run and how often. The
 * user's XState machine decides this at run time, so the plan allows any order. `planOfAgent`
 * returns the plan of each agent that the machine can run.
 */
export function planOfMachineAgent(
  spec: unknown,
  planned: PlannedAgent,
  planOfAgent: (agent: Pick<PlannedAgent, "agent" | "path">, src: string) => Plan,
): GroupPlan {
  // The machine `machineAgent` expects its input in this shape.
  const { agents, maxAgentRuns, outputKey } = spec as {
    readonly agents: readonly { readonly agent: string; readonly src: string }[]
    readonly maxAgentRuns?: number
    readonly outputKey?: string
  }
  return {
    ...planned,
    type: "group",
    order: "any",
    times: maxAgentRuns ?? Number.POSITIVE_INFINITY,
    timesBy: null,
    exitCondition: null,
    outputKey: outputKey ?? null,
    children: agents.map(({ agent, src }): PlanChild => ({
      plan: planOfAgent({ agent, path: `${planned.path}[*]/${agent}` }, src),
      when: null,
      times: 1,
    })),
  }
}
