import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartMachine,
  ChartState,
  ChartTransition,
} from "../../machines/contract/chart-machine.js"
import { targetPath, transitionLists } from "../../machines/contract/chart-transitions.js"
import type { TransitionList } from "../../machines/contract/chart-transitions.js"

/** A state of a chart, as the coverage of runs counts it. */
export interface ChartStatePart {
  readonly machine: string
  /** State keys from the machine's root, joined by dots. */
  readonly state: string
  /** Whether only limits, stops and pauses lead there, or nothing at all. */
  readonly isApart: boolean
}

/** A transition of a chart, as the coverage of runs counts it. */
export interface ChartTransitionPart {
  readonly machine: string
  /** The state that it leaves; `""` is the machine itself. */
  readonly from: string
  /**
   * What it answers: the end of what the state runs, the state having been entered, the end of its
   * inner states, or an event by its name.
   */
  readonly cause: string
  /** What it asks, with the agent or the place that it asks about; null where it asks nothing. */
  readonly guard: string | null
  /** null where it stays where it is. */
  readonly to: string | null
  /** Whether only a limit of the run, a stop or a pause takes it, or nothing can. */
  readonly isApart: boolean
}

/** A transition and where it stands in the chart. */
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
/** How a HumanAgent never ends. */
const notOfPeople = new Set(["exited", "escalated"])

/** All transitions of a machine, in the order of `transitionLists`. */
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
      const isOfRun = (list.event !== null && runEvents.has(list.event)) || runGuards.has(guard)
      const isNoEnd =
        list.cause === "invoked" &&
        sources.get(list.from) === "humanAgent" &&
        notOfPeople.has(guard)
      const isApart =
        isOfRun || isNoEnd || (guard === "wasAnsweredByTool" && !toolsMayAnswer(chart))
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
 * Whether the result of a tool may end a turn: of an agent as a tool that says so, or of host code.
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

/** All states of a machine by their paths, each before those inside of it. */
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
 * The states of a machine; apart are those that no transition of the work leads to, directly or as
 * a part of another state.
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
      const begun =
        state.type === "parallel"
          ? Object.keys(state.states ?? {})
          : state.initial === undefined
            ? []
            : [state.initial]
      open.push(...begun.map((inner) => `${next}.${inner}`))
    }
  }
  /**
   * A transition into a state enters the states around it, without their own beginnings, unless
   * they are parallel.
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
