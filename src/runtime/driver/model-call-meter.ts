import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Budget, BudgetOwner, BudgetUsage } from "../../machines/contract/budget.js"
import { isHelper, ownerOf } from "../../machines/model-call/helper-agents.js"
import { noUsage, exceededLimit } from "../../machines/contract/budget.js"
import type { Envelope, ModelAnswer, ModelRequest } from "../../machines/contract/services.js"
import { modelCallLimit } from "./model-call-limit.js"

/** The fields of a model call's input that `ModelCallMeter` reads. */
interface ModelCall {
  readonly request: ModelRequest
  /**
   * `"run"` if a person has just extended the budget of the run, and `"agent"` for the budget of
   * the agent. Missing if no budget was extended.
   */
  readonly grants?: BudgetOwner
}

interface Account {
  readonly owner: BudgetOwner
  readonly name: string
  readonly budget: Budget
  readonly spent: BudgetUsage
  /**
   * Factor by which the limits of the budget are multiplied. Starts at 1 and increases by 1 each
   * time a person extends the budget.
   */
  times: number
}

const account = (owner: BudgetOwner, name: string, budget: Budget | undefined): Account | null =>
  budget === undefined ? null : { owner, name, budget, spent: noUsage(), times: 1 }

const noAccounts: readonly Account[] = []

/**
 * Counts the model calls, tokens and costs of one run, and enforces the limits of the run
 * (docs/semantics.md#limits). The setting `maxModelCalls` limits the number of calls. Retries do
 * not count. Agents that are called as tools share this limit and the budget of the run. Tokens are
 * counted when a result is processed, so a replay counts the same tokens.
 */
export class ModelCallMeter {
  readonly #chart: AgentChart
  readonly #run: Account | null
  #byAgent: Map<string, readonly Account[]> | null = null
  #modelCalls = 0

  constructor(chart: AgentChart) {
    this.#chart = chart
    this.#run = account("run", "the run", chart.settings.budget)
  }

  /**
   * Counts a model call before it starts. Returns null if the call may start. If a limit or budget
   * is reached, returns the result to use instead of calling the model.
   */
  admit(call: unknown, at: number): Envelope | null {
    const { request, grants } = call as ModelCall // Only model calls are metered.
    const { maxModelCalls } = this.#chart.settings
    if (request.attempt > 1) return null
    const accounts = this.#accountsFor(request.agent)
    for (const one of accounts) {
      if (one.owner === grants) {
        one.times++
        one.spent.since = at
      }
      const part = exceededLimit(one.budget, one.times, one.spent, at)
      if (part === null) continue
      const instead = budgetReached(one, request.agent, part, at)
      // A replacement message counts as a call, because a loop could otherwise repeat it forever.
      return instead.ok && ++this.#modelCalls > maxModelCalls
        ? modelCallLimit(request.agent, maxModelCalls, at)
        : instead
    }
    for (const { spent } of accounts) {
      spent.modelCalls++
      spent.since ??= at
    }
    return ++this.#modelCalls <= maxModelCalls
      ? null
      : modelCallLimit(request.agent, maxModelCalls, at)
  }

  /**
   * Adds the tokens and the cost of a model's response to the budgets of the run and of the agent.
   */
  answered(call: unknown, result: Envelope): void {
    // The cast is safe: the value of a successful model call is a `ModelAnswer`.
    const usage = result.ok ? (result.value as ModelAnswer).usage : null
    if (usage === null) return
    for (const { spent } of this.#accountsFor((call as ModelCall).request.agent)) {
      spent.inputTokens += usage.inputTokens
      spent.outputTokens += usage.outputTokens
      spent.cost += usage.cost ?? 0
    }
  }

  /**
   * Returns the usage accounts of an agent: the account for the budget of the run, and the account
   * for the budget of the agent. Omits accounts without a budget.
   */
  #accountsFor(agent: string): readonly Account[] {
    const { agents } = this.#chart
    const known = this.#byAgent?.get(agent)
    if (known !== undefined) return known
    const definition = Object.hasOwn(agents, agent) ? agents[agent] : undefined
    // The calls of a helper agent (such as the summarizer of a conversation) count against the
    // budget of the agent for which it works.
    const owner = ownerOf(definition)
    if (owner !== undefined) return this.#accountsFor(owner)
    const budget = definition?.type === "LlmAgent" ? definition.budget : undefined
    if (budget === undefined && this.#run === null) return noAccounts
    const accounts = [this.#run, account("agent", `agent "${agent}"`, budget)].filter(
      (one) => one !== null,
    )
    this.#byAgent ??= new Map()
    this.#byAgent.set(agent, accounts)
    return accounts
  }
}

function budgetReached(
  { owner, name, budget: { onExceeded } }: Account,
  agent: string,
  part: string,
  at: number,
): Envelope {
  // A helper agent never receives the replacement message. It must return a summary of a
  // conversation or the verdict of a guardrail, and the replacement message is neither.
  if (typeof onExceeded === "object" && !isHelper(agent)) {
    const answer: ModelAnswer = {
      content: onExceeded.message,
      toolCalls: [],
      exitFlow: owner === "run",
      escalate: false,
      waitForUserInput: false,
      hitlRequest: null,
      usage: null,
    }
    return { ok: true, value: answer, at }
  }
  const message = `the budget of ${name} was used up before a model call of agent "${agent}": ${part}`
  return {
    ok: false,
    error: {
      code: "limit_reached",
      message,
      retryable: false,
      ...(onExceeded === "ask" && { asksFor: owner }),
    },
    at,
  }
}
