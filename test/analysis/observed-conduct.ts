import type { ModelAssumptions, TurnVariant } from "../../src/analysis/bounds/model-assumptions.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import type { EmittedEvent } from "../../src/machines/contract/run-event.js"

/** One turn of an LlmAgent, as its events describe it. */
interface Turn {
  readonly agent: string
  modelCalls: number
  /** Model calls after which a tool was called. */
  readonly rounds: Set<number>
  humanWaits: number
  readonly tools: Map<string, number>
}

/**
 * Returns the maximum that the models of a run have done in one turn. The run must not exceed the bounds for this
 * behavior.
 */
export function observedConduct(
  events: readonly EmittedEvent[],
  chart: AgentChart,
): ModelAssumptions {
  const open = new Map<string, Turn>()
  const turns: Turn[] = []
  for (const event of events) {
    if (event.type === "agent.started" && event.kind === "LlmAgent") {
      const turn: Turn = {
        agent: event.agent,
        modelCalls: 0,
        rounds: new Set(),
        humanWaits: 0,
        tools: new Map(),
      }
      open.set(event.path, turn)
      turns.push(turn)
    }
    const turn = "path" in event ? open.get(event.path) : undefined
    if (turn === undefined) continue
    if (event.type === "model.called" && event.attempt === 1) turn.modelCalls++
    if (event.type === "human.asked" || event.type === "user.awaited") turn.humanWaits++
    if (event.type === "tool.called" && event.attempt === 1) {
      turn.rounds.add(turn.modelCalls)
      turn.tools.set(event.tool, (turn.tools.get(event.tool) ?? 0) + 1)
    }
  }
  return {
    userMessages: events.filter(({ type }) => type === "user.said").length,
    turnVariants: (agent) => [
      mostOf(
        turns.filter((turn) => turn.agent === agent),
        chart,
      ),
    ],
  }
}

function mostOf(turns: readonly Turn[], chart: AgentChart): TurnVariant {
  const most = (of: (turn: Turn) => number): number => Math.max(0, ...turns.map(of))
  const targets = Object.entries(chart.tools).flatMap(([tool, definition]) =>
    definition.type === "AgentTool"
      ? [{ tool, machine: definition.machine, times: most((turn) => turn.tools.get(tool) ?? 0) }]
      : [],
  )
  return {
    modelCalls: most((turn) => turn.modelCalls),
    afterFailures: 0,
    summaries: 0,
    checks: [],
    toolRounds: most((turn) => turn.rounds.size),
    humanWaits: most((turn) => turn.humanWaits),
    targets,
  }
}
