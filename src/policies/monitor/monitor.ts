import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ToolCalledEvent } from "../../machines/contract/machine-kind.js"
import type { RunEvent } from "../../machines/contract/run-event.js"
import { nextState, violatedStateNumber } from "../rule-automaton.js"
import type { Occurrence } from "../occurrence.js"
import type { Policy, PolicySet, ViolationAction } from "../policy.js"
import type { PriceList } from "../price-list.js"
import type { CompiledPolicies, CountingPolicy } from "./compiled-policies.js"
import { compilePolicies } from "./compiled-policies.js"
import type { EventPlan, LetterStep } from "./event-plans.js"
import { EventPlans } from "./event-plans.js"
import type { JudgedEvent } from "./judged-event.js"
import { isErrorResult, OccurrenceReader } from "./occurrence-reader.js"
import type { PolicyWatch, ReadOccurrences } from "./policy-watch.js"

/** A violation of a policy, with the event that caused it. */
export interface PolicyViolation<Event = RunEvent> {
  /** Name of the violated policy. */
  readonly policy: string
  readonly description: string | null
  /** Position of the policy in its file. The first line and column are 1. */
  readonly line: number
  readonly column: number
  /** The action that the policy defines for its violations. null means the default action. */
  readonly onViolation: ViolationAction | null
  readonly event: Event
}

/**
 * Checks policies during a run. The result depends only on the events of the run. The monitor uses
 * no clock and no I/O, so the same events always cause the same violations.
 */
export interface PolicyMonitor {
  /**
   * Processes the next event of the run. Returns one violation for each policy that the event
   * violates.
   */
  follow<Event extends JudgedEvent>(event: Event): readonly PolicyViolation<Event>[]
  /**
   * Returns the policies that an event would violate if it were the next event. Supports
   * `tool.called`, `model.called` and `agent.started`. Has no side effects. If `approved` is set,
   * the event is checked as if a person had approved the call.
   */
  violatedBy(event: JudgedEvent, options?: { readonly approved: true }): readonly Policy[]
  /** Returns whether a person has approved a tool call with exactly these arguments. */
  isApproved(call: ToolCalledEvent): boolean
}

/**
 * Creates the policy monitor of one run. `policies` is the result of `readPolicies`. `prices`
 * replaces the prices of the policy file.
 */
export const createPolicyMonitor = (
  chart: AgentChart,
  policies: PolicySet,
  prices?: PriceList,
): PolicyMonitor => policyMonitors(chart, policies, prices)()

/**
 * Compiles policies for a chart and returns a function that creates the monitor of a run. The
 * compiled policies are cached for each chart, except if `prices` replaces the prices of the policy
 * file.
 */
export function policyMonitors(
  chart: AgentChart,
  policies: PolicySet,
  prices?: PriceList,
): () => PolicyMonitor {
  const known = prices === undefined ? compiledFor.get(policies)?.get(chart) : undefined
  if (known !== undefined) return known
  const compiled = compilePolicies(chart, policies, prices)
  const plans = new EventPlans(compiled)
  const create = (): PolicyMonitor => new Monitor(compiled, plans)
  if (prices === undefined) {
    const byChart = compiledFor.get(policies) ?? new WeakMap<AgentChart, () => PolicyMonitor>()
    compiledFor.set(policies, byChart.set(chart, create))
  }
  return create
}

/**
 * The compiled policies, cached by policy set and chart. The cached values stay valid, because
 * policy sets and charts never change.
 */
const compiledFor = new WeakMap<PolicySet, WeakMap<AgentChart, () => PolicyMonitor>>()

const nothing: readonly never[] = []

class Monitor implements PolicyMonitor {
  readonly #compiled: CompiledPolicies
  readonly #plans: EventPlans
  readonly #reader: OccurrenceReader
  /**
   * The current state of the automaton of each policy in `CompiledPolicies.counting`, in the same
   * order.
   */
  readonly #states: number[]
  readonly #watches: readonly PolicyWatch[]
  /** The event whose plan is stored in `#plan`. A plan lists the policies that read an event. */
  #planned: JudgedEvent | null = null
  #plan: EventPlan | null = null
  #current: JudgedEvent | null = null
  /**
   * The occurrences (actions such as a tool call) that the current event reports. null if they have
   * not been computed yet.
   */
  #occurrences: readonly Occurrence[] | null = null
  readonly #read = (): readonly Occurrence[] => {
    if (this.#current === null) return nothing
    return (this.#occurrences ??= this.#reader.occurrencesOf(this.#current))
  }

  /**
   * Returns the occurrences of the current event as if a person had approved its tool calls. Used
   * to check which policies the event would violate after an approval.
   */
  readonly #readApproved = (): readonly Occurrence[] =>
    this.#read().map((one) => (one.kind === "call" ? { ...one, approved: true } : one))

  constructor(compiled: CompiledPolicies, plans: EventPlans) {
    this.#compiled = compiled
    this.#plans = plans
    this.#reader = new OccurrenceReader(compiled)
    this.#states = compiled.counting.map(() => 0)
    this.#watches = compiled.watched.map(({ watch }) => watch.open())
  }

  follow<Event extends JudgedEvent>(event: Event): readonly PolicyViolation<Event>[] {
    const plan = this.#planOf(event)
    if (plan === null) {
      this.#reader.follow(event, false)
      return nothing
    }
    this.#begin(event)
    let violated: number[] | null = null
    for (const { index, letters } of this.#stepsOf(plan, event))
      if (this.#advance(index, letters)) violated = this.#add(index, violated)
    for (const index of plan.dynamic)
      if (this.#advance(index, this.#lettersOf(index))) violated = this.#add(index, violated)
    for (const index of plan.always)
      if (this.#watch(index).follow(event, this.#read)) violated = this.#addWatch(index, violated)
    for (const index of plan.whileActive) {
      const watch = this.#watch(index)
      if (watch.isActive && watch.follow(event, this.#read))
        violated = this.#addWatch(index, violated)
    }
    this.#reader.follow(event, plan.tracksCall)
    this.#current = null
    return violated === null ? nothing : this.#violations(violated, event)
  }

  /** Returns the violations that an event has caused, in the order of the policy file. */
  #violations<Event extends JudgedEvent>(
    positions: readonly number[],
    event: Event,
  ): readonly PolicyViolation<Event>[] {
    return this.#policies(positions).map(({ name, description, line, column, onViolation }) => ({
      policy: name,
      description,
      line,
      column,
      onViolation,
      event,
    }))
  }

  violatedBy(event: JudgedEvent, options?: { readonly approved: true }): readonly Policy[] {
    const plan = this.#planOf(event)
    if (plan === null) return nothing
    this.#begin(event)
    const read = options === undefined ? this.#read : this.#readApproved
    let violated: number[] | null = null
    for (const { index, letters } of this.#stepsOf(plan, event)) {
      const own = options === undefined ? letters : this.#lettersOf(index, read)
      if (this.#violates(index, own)) violated = this.#add(index, violated)
    }
    for (const index of plan.dynamic)
      if (this.#violates(index, this.#lettersOf(index, read))) violated = this.#add(index, violated)
    for (const index of plan.always)
      if (this.#watch(index).violates(event, read)) violated = this.#addWatch(index, violated)
    for (const index of plan.whileActive) {
      const watch = this.#watch(index)
      if (watch.isActive && watch.violates(event, read)) violated = this.#addWatch(index, violated)
    }
    return violated === null ? nothing : this.#policies(violated)
  }

  isApproved(call: ToolCalledEvent): boolean {
    return this.#reader.isApproved(call)
  }

  /**
   * Returns the plan of an event, which lists the policies that read the event. Returns null if no
   * policy reads it. The last plan is cached, because the same event is first checked before a call
   * and then processed.
   */
  #planOf(event: JudgedEvent): EventPlan | null {
    if (event !== this.#planned) {
      this.#planned = event
      this.#plan = this.#plans.of(event)
    }
    return this.#plan
  }

  /**
   * Sets the current event and discards the cached occurrences. They must be computed again even
   * for the same event, because they also depend on earlier events.
   */
  #begin(event: JudgedEvent): void {
    this.#current = event
    this.#occurrences = null
  }

  /**
   * Returns the automaton inputs that an event produces. Includes only policies whose inputs depend
   * only on the type of the event and its names, such as the tool name.
   */
  #stepsOf({ steps, otherSteps }: EventPlan, event: JudgedEvent): readonly LetterStep[] {
    if (steps.length === 0 && otherSteps.length === 0) return steps
    switch (event.type) {
      case "model.called":
        return event.attempt === 1 ? steps : nothing
      case "tool.called":
        if (!this.#reader.isCounted(event)) return nothing
        return this.#reader.isApproved(event) ? otherSteps : steps
      case "tool.finished":
        if (!this.#reader.isCounted(event)) return nothing
        return isErrorResult(event) ? otherSteps : steps
      default:
        return steps
    }
  }

  #lettersOf(index: number, read: ReadOccurrences = this.#read): readonly number[] {
    const { automaton } = this.#counting(index)
    return read().map((occurrence) => automaton.letterOf(occurrence))
  }

  /**
   * Moves the automaton of a policy to its next state for each input in `letters`. Returns whether
   * the policy is violated.
   */
  #advance(index: number, letters: readonly number[]): boolean {
    const { automaton } = this.#counting(index)
    let isViolated = false
    for (const letter of letters) {
      const next = nextState(automaton, this.#states[index] ?? 0, letter)
      if (next !== violatedStateNumber) this.#states[index] = next
      else {
        isViolated = true
        // Report a missing response at the end of a run only once.
        if (automaton.pattern === "whenever") this.#states[index] = 0
      }
    }
    return isViolated
  }

  #violates(index: number, letters: readonly number[]): boolean {
    const { automaton } = this.#counting(index)
    let state = this.#states[index] ?? 0
    for (const letter of letters) {
      state = nextState(automaton, state, letter)
      if (state === violatedStateNumber) return true
    }
    return false
  }

  // The assertion is safe, because the indexes in a plan refer to this list.
  #counting(index: number): CountingPolicy {
    return this.#compiled.counting[index] as CountingPolicy
  }

  #watch(index: number): PolicyWatch {
    return this.#watches[index] as PolicyWatch
  }

  #add(index: number, positions: number[] | null): number[] {
    return [...(positions ?? []), this.#counting(index).position]
  }

  #addWatch(index: number, positions: number[] | null): number[] {
    return [...(positions ?? []), this.#compiled.watched[index]?.position ?? 0]
  }

  /** Returns the policies at these indexes, in file order and without duplicates. */
  #policies(positions: readonly number[]): readonly Policy[] {
    const { policies } = this.#compiled.set
    return [...new Set(positions)]
      .sort((one, other) => one - other)
      .flatMap((position) => policies[position] ?? [])
  }
}
