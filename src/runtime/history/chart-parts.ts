import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"

/** A state of a chart in a coverage report. */
export interface ChartStatePart {
  readonly machine: string
  /** State keys from the root of the machine, joined by dots. */
  readonly state: string
  /** Whether only limits, stops and pauses lead to the state, or nothing at all. */
  readonly isApart: boolean
}

/** A transition of a chart in a coverage report. */
export interface ChartTransitionPart {
  readonly machine: string
  /** The source state; `""` is the machine itself. */
  readonly from: string
  /**
   * The trigger: `ended` for the invoked child, `entered`, `inner states ended`, or the type of an
   * event.
   */
  readonly cause: string
  /**
   * The guard, with the agent or place that it refers to; null for a transition without a guard.
   */
  readonly guard: string | null
  /** The target state; null if the state does not change. */
  readonly to: string | null
  /** Whether only a limit, a stop or a pause takes the transition, or nothing at all. */
  readonly isApart: boolean
}

/** A transition with its description. */
export interface FoundTransition {
  readonly transition: ChartTransition
  readonly part: ChartTransitionPart
}

const runEvents = new Set(["run.stopped", "child.paused", "child.resumed"])
const runGuards = new Set([
  "limited",
  "stopped",
  "hostStopped",
  "handoffLimitReached",
  "cycleLimitReached",
])
/** Guards for outcomes that a HumanAgent cannot have. */
const impossibleHumanOutcomes = new Set(["exited", "escalated"])

/** Returns all transitions of a machine, in the order of `transitionLists`. */
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
      const isRunEvent = (list.event !== null && runEvents.has(list.event)) || runGuards.has(guard)
      const isImpossible =
        list.cause === "invoked" &&
        sources.get(list.from) === "humanAgent" &&
        impossibleHumanOutcomes.has(guard)
      const isApart =
        isRunEvent || isImpossible || (guard === "wasAnsweredByTool" && !toolsMayAnswer(chart))
      return {
        transition,
        part: {
          machine: key,
          from: list.from,
          cause: causeOf(list),
          guard: guardText(transition),
          to: targetPath(machine, transition),
          isApart,
        },
      }
    }),
  )
}

/**
 * Whether the result of a tool can end a turn: an agent as a tool, a toolset, or a host function.
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

/** Yields all states of a machine with their paths. A parent precedes its children. */
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
 * Returns the states of a machine. `isApart` is true for states that no regular transition enters,
 * directly or as a part of another state.
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
   * Adds the states that a transition to `target` enters: its parents, and all regions of parallel
   * parents.
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
  for (const { part } of transitions) if (!part.isApart && part.to !== null) enterAt(part.to)
  return [...states.keys()].map((state) => ({ machine: key, state, isApart: !reached.has(state) }))
}
