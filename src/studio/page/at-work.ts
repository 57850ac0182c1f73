import type { RunEvent } from "../api.js"

/** Who is at work after some events, and what each agent has cost. */
export interface AtWork {
  readonly active: ReadonlySet<string>
  readonly waiting: ReadonlySet<string>
  readonly finished: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  /** From the agent that has ended to the one that began next in its branch: the ways that were gone. */
  readonly ways: readonly (readonly [from: string, to: string])[]
}

export function atWork(events: readonly RunEvent[]): AtWork {
  const open = new Map<string, string>()
  const asked = new Map<string, string>()
  const finished = new Set<string>()
  const failed = new Set<string>()
  const ways = new Map<string, readonly [string, string]>()
  const last = new Map<string, string[]>()
  for (const event of events) {
    const branch = event.branch ?? ""
    switch (event.type) {
      case "agent.started":
        open.set(event.path, event.agent)
        failed.delete(event.agent)
        for (const from of last.get(branch) ?? []) ways.set(`${from} ${event.agent}`, [from, event.agent])
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
        ways.set(`${event.from} ${event.to}`, [event.from, event.to])
        break
      case "edge.followed":
        ways.set(`${event.from} ${event.to}`, [event.from, event.to])
        break
      case "run.finished":
        open.clear()
        asked.clear()
        break
      default:
    }
    if (event.type === "agent.started") last.delete(branch)
  }
  return { active: new Set(open.values()), waiting: new Set(asked.values()), finished, failed, ways: [...ways.values()] }
}

/** What an agent has taken so far. */
export interface Spent {
  readonly agent: string
  readonly turns: number
  readonly calls: number
  readonly tools: number
  /** Waiting for its model, in milliseconds. */
  readonly ms: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export function spentByAgent(events: readonly RunEvent[]): readonly Spent[] {
  const spent = new Map<string, Spent>()
  const calledAt = new Map<string, number>()
  const add = (agent: string, more: Partial<Omit<Spent, "agent">>): void => {
    const known = spent.get(agent) ?? { agent, turns: 0, calls: 0, tools: 0, ms: 0, inputTokens: 0, outputTokens: 0 }
    const sum = Object.fromEntries(Object.entries(more).map(([key, value]) => [key, (known[key as keyof Spent] as number) + value]))
    spent.set(agent, { ...known, ...sum })
  }
  for (const event of events) {
    if (event.type === "agent.started" && (event.kind === "LlmAgent" || event.kind === "HumanAgent")) add(event.agent, { turns: 1 })
    else if (event.type === "model.called") {
      calledAt.set(event.call, event.at)
      if (event.attempt === 1) add(event.agent, { calls: 1 })
    } else if (event.type === "model.responded") {
      const { inputTokens = 0, outputTokens = 0 } = event.answer.usage ?? {}
      add(event.agent, { ms: event.at - (calledAt.get(event.call) ?? event.at), inputTokens, outputTokens })
    } else if (event.type === "tool.called" && event.attempt === 1) add(event.agent, { tools: 1 })
  }
  return [...spent.values()]
}
