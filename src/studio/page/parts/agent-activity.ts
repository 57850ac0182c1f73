import type { RunEvent } from "../../api.js"

/** Activity of the agents after some events. */
export interface AgentActivity {
  readonly active: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
  readonly finished: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  /** Transitions taken: from the agent that ended to the next agent in its branch. */
  readonly transitions: readonly (readonly [from: string, to: string])[]
}

export function agentActivity(events: readonly RunEvent[]): AgentActivity {
  const open = new Map<string, string>()
  const asked = new Map<string, string>()
  const finished = new Set<string>()
  const failed = new Set<string>()
  const transitions = new Map<string, readonly [string, string]>()
  const last = new Map<string, string[]>()
  for (const event of events) {
    const branch = event.branch ?? ""
    switch (event.type) {
      case "agent.started":
        open.set(event.path, event.agent)
        failed.delete(event.agent)
        for (const from of last.get(branch) ?? [])
          transitions.set(`${from} ${event.agent}`, [from, event.agent])
        break
      case "agent.finished": {
        open.delete(event.path)
        finished.add(event.agent)
        if (event.outcome === "failed") failed.add(event.agent)
        last.set(branch, [...(last.get(branch) ?? []).slice(-3), event.agent])
        break
      }
      case "human.asked":
      case "user.awaited":
        asked.set(event.request.id, event.agent)
        break
      case "human.answered":
      case "user.said":
      case "request.expired":
        asked.delete(event.id)
        break
      case "handoff":
        transitions.set(`${event.from} ${event.to}`, [event.from, event.to])
        break
      case "edge.followed":
        transitions.set(`${event.from} ${event.to}`, [event.from, event.to])
        break
      case "run.finished":
        open.clear()
        asked.clear()
        break
      default:
    }
    if (event.type === "agent.started") last.delete(branch)
  }
  return {
    active: new Set(open.values()),
    waiting: new Set(asked.values()),
    finished,
    failed,
    transitions: [...transitions.values()],
  }
}

/** Usage of an agent so far. */
export interface Spent {
  readonly agent: string
  turns: number
  calls: number
  tools: number
  /** Waiting for its model, in milliseconds. */
  ms: number
  inputTokens: number
  outputTokens: number
  /** null where no price is known. */
  cost: number | null
}

export function spentByAgent(events: readonly RunEvent[]): readonly Readonly<Spent>[] {
  const spent = new Map<string, Spent>()
  const calledAt = new Map<string, number>()
  const by = (agent: string): Spent => {
    const known = spent.get(agent) ?? {
      agent,
      turns: 0,
      calls: 0,
      tools: 0,
      ms: 0,
      inputTokens: 0,
      outputTokens: 0,
      cost: null,
    }
    spent.set(agent, known)
    return known
  }
  for (const event of events) {
    if (
      event.type === "agent.started" &&
      (event.kind === "LlmAgent" || event.kind === "HumanAgent")
    )
      by(event.agent).turns += 1
    else if (event.type === "model.called") {
      calledAt.set(event.call, event.at)
      if (event.attempt === 1) by(event.agent).calls += 1
    } else if (event.type === "model.responded") {
      const { inputTokens = 0, outputTokens = 0, cost } = event.answer.usage ?? {}
      const agent = by(event.agent)
      agent.ms += event.at - (calledAt.get(event.call) ?? event.at)
      agent.inputTokens += inputTokens
      agent.outputTokens += outputTokens
      if (cost !== undefined) agent.cost = (agent.cost ?? 0) + cost
    } else if (event.type === "tool.called" && event.attempt === 1) by(event.agent).tools += 1
  }
  return [...spent.values()]
}
