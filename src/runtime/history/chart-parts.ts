import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"

/**
 * A state of a chart in a coverage report. `machine` is the key of the state machine that contains
 * the state.
 */
export interface ChartStatePart {
  readonly machine: string
  /**
   * Path of the state inside its machine: state keys joined by dots, for example `pipeline.writer`.
   */
  readonly state: string
  /**
   * True if normal execution cannot reach the state. It is reached only after a limit, a stop or a
   * pause, or never.
   */
  readonly isExceptional: boolean
}

/**
 * A transition of a chart in a coverage report. `machine` is the key of the state machine that
 * contains the transition.
 */
export interface ChartTransitionPart {
  readonly machine: string
  /** Path of the source state. Empty for a transition that the machine itself defines. */
  readonly from: string
  /**
   * Trigger of the transition: `ended` if the invoked child has ended, `entered` if the state was
   * entered, `inner states ended`, or an event type.
   */
  readonly cause: string
  /**
   * Name of the guard, for example `handsOffTo billing`. If the guard tests an agent, a team member
   * or a condition, it follows the name after a space. null if the transition has no guard.
   */
  readonly guard: string | null
  /** Path of the target state. null if the transition does not change the state. */
  readonly to: string | null
  /**
   * True if normal execution cannot take the transition. It is taken only after a limit, a stop or
   * a pause, or never.
   */
  readonly isExceptional: boolean
}

/** A transition of a machine, together with its description for the coverage report. */
export interface FoundTransition {
  readonly transition: ChartTransition
  readonly part: ChartTransitionPart
}

/** Events and guards of transitions that are taken only after a limit, a stop or a pause. */
const exceptionalEvents = new Set(["run.stopped", "child.paused", "child.resumed"])
const exceptionalGuards = new Set([
  "limited",
  "stopped",
  "hostStopped",
  "handoffLimitReached",
  "cycleLimitReached",
])
/**
 * Guards that test for outcomes which a HumanAgent, WaitAgent or WorkflowAgent never has. The
 * transitions with these guards are never taken after such an agent.
 */
const impossibleOutcomes = new Set(["exited", "escalated"])
const withoutSignals = new Set(["humanAgent", "waitAgent", "workflowAgent"])

/**
 * Returns all transitions of a machine with their descriptions, in the order of `transitionLists`.
 * `key` is the key of the machine.
 */
export function transitionsOf(
  chart: AgentChart,
  key: string,
  machine: ChartMachine,
): readonly FoundTransition[] {
  const sources = new Map(
    [...statesOf(machine)].map(([path, state]) => [path, state.invoke?.src ?? null]),
  )
  return transitionLists(machine).flatMap((list) =>
    list.transitions.map((transition) => {
      const guard = transition.guard?.type ?? ""
      const isInterruption =
        (list.event !== null && exceptionalEvents.has(list.event)) || exceptionalGuards.has(guard)
      const isImpossible =
        list.cause === "invoked" &&
        withoutSignals.has(sources.get(list.from) ?? "") &&
        impossibleOutcomes.has(guard)
      const isExceptional =
        isInterruption || isImpossible || (guard === "wasAnsweredByTool" && !toolsMayAnswer(chart))
      return {
        transition,
        part: {
          machine: key,
          from: list.from,
          cause: causeOf(list),
          guard: guardText(transition),
          to: targetPath(machine, transition),
          isExceptional,
        },
      }
    }),
  )
}

/**
 * Returns true if a tool result can end the turn of an agent. This requires a host function, a
 * toolset, or an AgentTool with `skipSummarization`.
 */
const toolsMayAnswer = ({ tools, services }: AgentChart): boolean =>
  services !== undefined ||
  Object.values(tools).some((tool) =>
    tool.type !== "AgentTool" ? tool.type === "Toolset" : tool.skipSummarization,
  )

const causeOf = ({ cause, event }: TransitionList): string =>
  event ?? { invoked: "ended", always: "entered", inside: "inner states ended", event: "" }[cause]

function guardText({ guard }: ChartTransition): string | null {
  if (guard === undefined) return null
  const about = ["agent", "member", "condition"]
    .map((name) => guard.params?.[name])
    .find((value) => typeof value === "string")
  return about === undefined ? guard.type : `${guard.type} ${about}`
}

/**
 * Yields all states of a machine as `[path, state]`. Each parent comes before its children. A path
 * consists of state keys joined by dots.
 */
export function* statesOf({
  states,
}: ChartMachine): Generator<readonly [path: string, state: ChartState]> {
  const open: (readonly [string, ChartState])[] = Object.entries(states).reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    const [path, { states: inner = {} }] = next
    open.push(
      ...Object.entries(inner)
        .map(([key, state]) => [`${path}.${key}`, state] as const)
        .reverse(),
    )
  }
}

/**
 * Returns the description of each state of a machine. `isExceptional` is true for a state that
 * normal execution cannot reach. It is reached only after a limit, a stop or a pause, or never.
 */
export function statePartsOf(
  key: string,
  machine: ChartMachine,
  transitions: readonly FoundTransition[],
): readonly ChartStatePart[] {
  const states = new Map(statesOf(machine))
  const reached = new Set<string>()
  const enter = (path: string): void => {
    const open = [path]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const state = states.get(next)
      if (state === undefined || reached.has(next)) continue
      reached.add(next)
      const initial =
        state.type === "parallel"
          ? Object.keys(state.states ?? {})
          : state.initial === undefined
            ? []
            : [state.initial]
      open.push(...initial.map((inner) => `${next}.${inner}`))
    }
  }
  /**
   * Adds all states that a transition to `target` enters: the target, its parent states, and all
   * regions of parallel parents.
   */
  const enterAt = (target: string): void => {
    const around = target.split(".")
    for (let length = 1; length < around.length; length++) {
      const outer = around.slice(0, length).join(".")
      if (states.get(outer)?.type === "parallel") enter(outer)
      else reached.add(outer)
    }
    enter(target)
  }
  enter(machine.initial)
  for (const { part } of transitions) if (!part.isExceptional && part.to !== null) enterAt(part.to)
  return [...states.keys()].map((state) => ({
    machine: key,
    state,
    isExceptional: !reached.has(state),
  }))
}
