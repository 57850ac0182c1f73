import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { Plans } from "../plan/plan.js"
import type { Finding } from "../findings/finding.js"
import type { KeyEvent } from "./key-events.js"
import { keyEvents } from "./key-events.js"
import { writtenTwice } from "./key-finding-messages.js"
import { checkKeyOrder, placeWrites } from "./key-flow.js"
import type { PlacedWrite } from "./parallel-branches.js"
import { sharedFork } from "./parallel-branches.js"

/** The agents and tools that read or write one key of the session state. */
export interface KeyUse {
  readonly key: string
  /** Ids of the agents and tools that write the key. */
  readonly writers: readonly string[]
  /** Ids of the agents that read the key in an instruction, an endpoint or a condition. */
  readonly readers: readonly string[]
  /** Whether the initial state in the config contains the key. */
  readonly initial: boolean
}

export interface KeyAnalysis {
  readonly keys: readonly KeyUse[]
  /**
   * Whether the chart has host functions (functions that you register), which may read and write
   * additional keys.
   */
  readonly hostCode: boolean
  readonly findings: readonly Finding[]
}

export function analyzeKeys(chart: AgentChart, plans: Plans): KeyAnalysis {
  const targets = new Map<string, readonly KeyEvent[]>()
  /**
   * Returns the reads and writes of session state keys in a machine that an AgentTool runs. The
   * caller can run the machine at any time, so the machine is analyzed separately from the caller.
   */
  const targetEvents = (machine: string): readonly KeyEvent[] => {
    const known = targets.get(machine)
    if (known !== undefined) return known
    targets.set(machine, [])
    const events = keyEvents(machine, chart, plans, effectsOf)
    targets.set(machine, events)
    return events
  }
  const effects = new Map<string, readonly KeyEvent[]>()
  const effectsOf = (machine: string): readonly KeyEvent[] => {
    const known = effects.get(machine)
    if (known !== undefined) return known
    const own = distinctEffects(targetEvents(machine))
    effects.set(machine, own)
    return own
  }
  const main = keyEvents(chart.root, chart, plans, effectsOf)
  const all = [main, ...targets.values()]
  const hostCode = all.some((events) => events.some(({ type }) => type === "host code"))
  const writes = placeWrites(main)
  const writers = new Map<string, PlacedWrite[]>()
  for (const write of writes) {
    const known = writers.get(write.key)
    if (known === undefined) writers.set(write.key, [write])
    else known.push(write)
  }
  const shared = {
    initialState: chart.input.state,
    writers,
    hasHostCode: hostCode,
    isSession: chart.dialect === "adk",
  }
  const flows = all.map((events, index) =>
    checkKeyOrder({ ...shared, events, startsUnknown: index > 0 }),
  )
  return {
    keys: usesOf(all, chart.input.state),
    hostCode,
    findings: distinct([...flows.flat(), ...racesAmong(writers, chart)]),
  }
}

/**
 * Returns the events of an AgentTool's machine that affect the agent that calls the tool: writes,
 * calls of host functions, and reads of the whole state. Each key is included once.
 */
function distinctEffects(events: readonly KeyEvent[]): readonly KeyEvent[] {
  const seen = new Set<string>()
  return events.filter((event) => {
    const name = event.type === "write" ? `write ${event.key}` : event.type
    if (
      (event.type !== "write" &&
        event.type !== "host code" &&
        event.type !== "everything is read") ||
      seen.has(name)
    )
      return false
    seen.add(name)
    return true
  })
}

/**
 * Returns a finding for each key that two branches of a parallel block write. Compares each write
 * only with the previous write of the same key. If a key is written in different branches, at least
 * one of these pairs is in different branches.
 */
function racesAmong(
  writers: ReadonlyMap<string, readonly PlacedWrite[]>,
  { settings }: AgentChart,
): readonly Finding[] {
  return [...writers].flatMap(([key, writes]) => {
    if ((settings.stateMerge[key] ?? "replace") !== "replace") return []
    const forks = new Set<number>()
    return writes.flatMap((write, index) => {
      const before = writes[index - 1]
      const fork = before === undefined ? null : sharedFork(before.branches, write.branches)
      if (before === undefined || fork === null || forks.has(fork)) return []
      forks.add(fork)
      return [writtenTwice(before, write)]
    })
  })
}

function usesOf(
  all: readonly (readonly KeyEvent[])[],
  initial: Readonly<Record<string, unknown>>,
): readonly KeyUse[] {
  const uses = new Map<string, { readonly writers: Set<string>; readonly readers: Set<string> }>()
  const useOf = (key: string) => {
    const use = uses.get(key) ?? { writers: new Set(), readers: new Set() }
    uses.set(key, use)
    return use
  }
  for (const key of Object.keys(initial)) useOf(key)
  for (const event of all.flat()) {
    if (event.type === "write") useOf(event.key).writers.add(event.writer)
    if (event.type === "read") useOf(event.key).readers.add(event.agent)
  }
  return [...uses].map(([key, { writers, readers }]) => ({
    key,
    writers: [...writers],
    readers: [...readers],
    initial: Object.hasOwn(initial, key),
  }))
}

/** Removes duplicate findings. They occur if an agent has several positions in the chart. */
const distinct = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(
    findings.map((finding) => [`${finding.code} ${finding.agent} ${finding.message}`, finding]),
  ).values(),
]
