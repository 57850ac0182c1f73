import type { Occurrence } from "../occurrence.js"
import type { CompiledPolicies } from "./compiled-policies.js"
import type { JudgedEvent } from "./judged-event.js"
import { OccurrenceReader } from "./occurrence-reader.js"
import type { Reading } from "./policy-watch.js"

/**
 * The inputs that an event produces for the automaton of one policy. An input is a number, called a
 * letter.
 */
export interface LetterStep {
  /**
   * Index of the policy in `CompiledPolicies.counting`, which contains the policies with a
   * deterministic automaton.
   */
  readonly index: number
  readonly letters: readonly number[]
}

/**
 * Describes how the policy monitor processes events of a certain type and name. It contains the
 * policies that read these events, and the inputs for the automatons that check the policies.
 */
export interface EventPlan {
  readonly steps: readonly LetterStep[]
  /**
   * Used instead of `steps` if a person approved the tool call, or if the tool result is an error.
   */
  readonly otherSteps: readonly LetterStep[]
  /**
   * Indexes in `CompiledPolicies.counting` of the policies for which the type and name of the event
   * are not sufficient. Their automaton inputs are computed again for each event.
   */
  readonly dynamic: readonly number[]
  /** Indexes in `CompiledPolicies.watched` of the policies that read every event with this plan. */
  readonly always: readonly number[]
  /**
   * Indexes in `CompiledPolicies.watched` of the policies that read an event with this plan only
   * while `PolicyWatch.isActive` is true.
   */
  readonly whileActive: readonly number[]
  /**
   * Whether the monitor must track the open calls of the tool, because a policy refers to their
   * results.
   */
  readonly tracksCall: boolean
}

/**
 * Maximum number of cached plans for one event type of an agent. A plan lists the policies that
 * read an event. A maximum is needed because models can call tools that do not exist, so the number
 * of names is unlimited.
 */
const maxPlans = 1_000

type NamedEvent = Extract<
  JudgedEvent,
  { type: "agent.started" | "agent.finished" | "model.called" | "tool.called" | "tool.finished" }
>

/**
 * The cached plans for one type of event of an agent. A plan lists the policies that read an event.
 * Most agents need only one plan for each type.
 */
interface AgentPlans {
  readonly name: string
  readonly plan: EventPlan | null
  /**
   * The plans for events whose name differs from the field `name`, by event name. For a tool call,
   * the event name is the name of the tool. null if there was no other name so far.
   */
  readonly others: Map<string, EventPlan | null> | null
}

/**
 * Finds and caches the policies that read an event, by the type and the names of the event. All
 * runs of a chart share one instance.
 */
export class EventPlans {
  readonly #compiled: CompiledPolicies
  readonly #reader: OccurrenceReader
  readonly #known = new Map<string, EventPlan | AgentPlans>()
  readonly #byType = new Map<JudgedEvent["type"], EventPlan | null>()
  readonly #starts = new Map<string, AgentPlans>()
  readonly #ends = new Map<string, AgentPlans>()
  readonly #modelCalls = new Map<string, AgentPlans>()
  readonly #toolCalls = new Map<string, AgentPlans>()
  readonly #results = new Map<string, AgentPlans>()

  constructor(compiled: CompiledPolicies) {
    this.#compiled = compiled
    this.#reader = new OccurrenceReader(compiled)
  }

  /**
   * Returns the plan of an event, which lists the policies that read the event. Returns null if no
   * policy reads it.
   */
  of(event: JudgedEvent): EventPlan | null {
    switch (event.type) {
      case "agent.started":
        return this.#named(this.#starts, event, event.kind)
      case "agent.finished": {
        const { kind, outcome } = event
        return this.#named(this.#ends, event, outcome === "done" ? kind : `${kind} ${outcome}`)
      }
      case "model.called":
        return this.#named(this.#modelCalls, event, event.model ?? "")
      case "tool.called":
        return this.#named(this.#toolCalls, event, event.tool)
      case "tool.finished":
        return this.#named(this.#results, event, event.tool)
      default: {
        let plan = this.#byType.get(event.type)
        if (plan === undefined) {
          plan = this.#planOf(event, false)
          this.#byType.set(event.type, plan)
        }
        return plan
      }
    }
  }

  #named(byAgent: Map<string, AgentPlans>, event: NamedEvent, name: string): EventPlan | null {
    const plans = byAgent.get(event.agent)
    if (plans?.name === name) return plans.plan
    const known = plans?.others?.get(name)
    if (known !== undefined) return known
    const plan = this.#planOf(event, true)
    if (plans === undefined) byAgent.set(event.agent, this.#shared({ name, plan, others: null }))
    else {
      const others = plans.others ?? new Map<string, EventPlan | null>()
      if (others.size >= maxPlans) others.clear()
      others.set(name, plan)
      if (plans.others === null) byAgent.set(event.agent, { ...plans, others })
    }
    return plan
  }

  /**
   * Creates the plan for all events that have the same type, agent and name, such as a tool name.
   * If `isNamed` is false, the plan is for all events of this type. The automaton inputs are then
   * computed for each event instead of once.
   */
  #planOf(event: JudgedEvent, isNamed: boolean): EventPlan | null {
    const { counting, watched } = this.#compiled
    const [usual, other] = this.#reader.variantsOf(event)
    const readers = counting.map(({ filter }) => filter.reads(event))
    const isDynamic = (index: number): boolean =>
      !isNamed || counting[index]?.filter.readsAncestorsOf(event.agent) === true
    const stepsOf = (occurrences: readonly Occurrence[]): readonly LetterStep[] =>
      counting.flatMap(({ automaton }, index) => {
        if (readers[index] !== true || isDynamic(index)) return []
        const letters = occurrences.map((one) => automaton.letterOf(one)).filter((one) => one !== 0)
        return letters.length === 0 ? [] : [{ index, letters }]
      })
    const readings = watched.map(({ watch }) => watch.reading(event, usual))
    const indexesOf = (reading: Reading): readonly number[] =>
      readings.flatMap((one, index) => (one === reading ? [index] : []))
    const plan: EventPlan = {
      steps: stepsOf(usual),
      otherSteps: stepsOf(other),
      dynamic: readers.flatMap((reads, index) => (reads && isDynamic(index) ? [index] : [])),
      always: indexesOf("always"),
      whileActive: indexesOf("whileActive"),
      tracksCall: event.type === "tool.called" && this.of(resultOf(event)) !== null,
    }
    return isEmpty(plan) ? null : this.#shared(plan)
  }

  /**
   * Returns the cached instance of an equal value, or adds this value to the cache. Most agents
   * have equal plans, which list the policies that read an event. A shared plan stays in the CPU
   * cache.
   */
  #shared<Value extends EventPlan | AgentPlans>(value: Value): Value {
    const text = JSON.stringify(value)
    const known = this.#known.get(text)
    // The assertion is safe: plans of different types never have the same JSON text.
    if (known !== undefined) return known as Value
    this.#known.set(text, value)
    return value
  }
}

const isEmpty = ({
  steps,
  otherSteps,
  dynamic,
  always,
  whileActive,
  tracksCall,
}: EventPlan): boolean =>
  steps.length + otherSteps.length + dynamic.length + always.length + whileActive.length === 0 &&
  !tracksCall

/** Returns an example of the `tool.finished` event that follows the `tool.called` event. */
const resultOf = ({
  tool,
  callId,
  agent,
  path,
  branch,
}: Extract<JudgedEvent, { type: "tool.called" }>) =>
  ({ type: "tool.finished", tool, callId, response: {}, agent, path, branch }) as const
