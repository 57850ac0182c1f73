import type { AgentChart } from "../machines/agent-chart.js"
import type { Budget, BudgetOwner, Spent } from "../machines/budget.js"
import { nothingSpent, usedUp } from "../machines/budget.js"
import type { Envelope, ModelAnswer, ModelRequest } from "../machines/contract.js"
import { modelCallLimit } from "./model-call-limit.js"

/** Counts the model calls of one run and what they use. It knows answers only as they are fed, so a replay counts the same. */
export interface ModelCallMeter {
  /** Counts a call that is to be made. What it ends with instead where a limit or a budget is reached; null: it is made. */
  admit(call: unknown, at: number): Envelope | null
  /** What a call that was made came to. */
  answered(call: unknown, result: Envelope): void
}

/** Input of the leaf actor `callModel`. */
interface ModelCall {
  readonly request: ModelRequest
  /** A person has said that this budget grows by as much again. */
  readonly grants?: BudgetOwner
}

interface Account {
  readonly owner: BudgetOwner
  readonly name: string
  readonly budget: Budget
  readonly spent: Spent
  /** How many times the budget may be used. */
  times: number
}

const account = (owner: BudgetOwner, name: string, budget: Budget | undefined): Account | null =>
  budget === undefined ? null : { owner, name, budget, spent: nothingSpent(), times: 1 }

/** `maxModelCalls` counts calls, not attempts; targets of AgentTools share it (SPEC section 3). So does the budget of the run. */
export function modelCallMeter({ settings, agents }: AgentChart): ModelCallMeter {
  const run = account("run", "the run", settings.budget)
  const byAgent = new Map<string, Account | null>()
  let modelCalls = 0

  /** That of the run, and that of the agent. */
  const accountsFor = (agent: string): readonly Account[] => {
    let own = byAgent.get(agent)
    if (own === undefined) {
      const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
      own = account("agent", `agent "${agent}"`, definition?.type === "LlmAgent" ? definition.budget : undefined)
      byAgent.set(agent, own)
    }
    return [run, own].filter((one) => one !== null)
  }
  return {
    admit(call, at) {
      const { request, grants } = call as ModelCall // Only model calls are metered.
      if (request.attempt > 1) return null
      const accounts = accountsFor(request.agent)
      for (const one of accounts) {
        if (one.owner === grants) {
          one.times++
          one.spent.since = at
        }
        const part = usedUp(one.budget, one.times, one.spent, at)
        if (part === null) continue
        const instead = budgetReached(one, request.agent, part, at)
        // A message in place of an answer counts as a call: a loop that nothing else ends would hear it for ever.
        return instead.ok && ++modelCalls > settings.maxModelCalls ? modelCallLimit(request.agent, settings.maxModelCalls, at) : instead
      }
      for (const { spent } of accounts) {
        spent.modelCalls++
        spent.since ??= at
      }
      return ++modelCalls <= settings.maxModelCalls ? null : modelCallLimit(request.agent, settings.maxModelCalls, at)
    },
    answered(call, result) {
      // What is fed for a model call was read as an answer before.
      const usage = result.ok ? (result.value as ModelAnswer).usage : null
      if (usage === null) return
      for (const { spent } of accountsFor((call as ModelCall).request.agent)) {
        spent.inputTokens += usage.inputTokens
        spent.outputTokens += usage.outputTokens
        spent.cost += usage.cost ?? 0
      }
    },
  }
}

function budgetReached({ owner, name, budget: { onExceeded } }: Account, agent: string, part: string, at: number): Envelope {
  if (typeof onExceeded === "object") {
    const answer: ModelAnswer = { content: onExceeded.message, toolCalls: [], exitFlow: owner === "run", escalate: false, waitForUserInput: false, hitlRequest: null, usage: null }
    return { ok: true, value: answer, at }
  }
  const message = `the budget of ${name} is used up when agent "${agent}" is to be asked: ${part}`
  return { ok: false, error: { code: "limit_reached", message, retryable: false, ...(onExceeded === "ask" && { asksFor: owner }) }, at }
}
