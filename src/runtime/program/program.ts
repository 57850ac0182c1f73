import { AgentStatechartsError } from "../../errors.js"
import type { CompiledCondition } from "../../expression/index.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type {
  ChartState,
  NamedAction,
  StateMeta,
  Transitions,
} from "../../machines/contract/chart-machine.js"
import { isLeafSource } from "../../machines/registry/leaf-sources.js"
import type {
  AnyMachineKind,
  MachineConfig,
  MachineDefinition,
  MachineLibrary,
} from "../../machines/registry/machine-definition.js"
import { machinesOf } from "../../machines/registry/machines-of.js"
import type { Lookup } from "../../machines/contract/machine-kind.js"
import { jsonValidator } from "../validation/json-validator.js"
import { featureMissing, featureOfMachine } from "./feature-missing.js"

/**
 * A validated chart together with the implementations of its state machines (guards and actions).
 * It can be executed by `createRunner` and by `toMachine`.
 */
export interface ChartProgram {
  readonly chart: AgentChart
  readonly machines: ReadonlyMap<string, MachineProgram>
}

/**
 * A state machine of a chart together with its implementation. `key` identifies the machine in the
 * chart.
 */
export interface MachineProgram {
  readonly key: string
  /**
   * Prefix of the keys of all machines that belong to the same workflow as this machine. For a
   * workflow inside a graph node, it is the path of the workflow, such as `summary/`. Otherwise it
   * is an empty string.
   */
  readonly scope: string
  readonly config: MachineConfig
  readonly kind: AnyMachineKind
  readonly lookup: Lookup
}

/** The features of the runtime that are available to the machines of a chart. */
export interface ChartFeatures {
  readonly machines: MachineLibrary
  /**
   * If true, `machines` contains the machines that prepare model calls. They summarize the
   * conversations of agents with `compaction`, and load memories before a turn.
   */
  readonly summarizes: boolean
  /** Function that compiles a condition. null if the runtime cannot evaluate conditions. */
  readonly compileCondition: ((source: string) => CompiledCondition) | null
}

/**
 * Validates a chart and connects its machines with their implementations. Checks that all actions,
 * guards and machines that the chart names exist, because XState ignores missing actions.
 *
 * @throws AgentStatechartsError `chart_invalid` with the machine, the state and the missing name,
 * or `feature_missing` if the chart uses a feature that is not in `features`
 */
export function programOf(chart: AgentChart, features: ChartFeatures): ChartProgram {
  const machines = new Map<string, MachineProgram>()
  loadMachines(chart, "", machines, features)
  return { chart, machines }
}

/**
 * Machine libraries that have been validated. They are the same for all charts, so they are
 * validated only once.
 */
const checkedLibraries = new WeakSet<MachineLibrary>()

/**
 * Agent metadata of the states of a built-in machine. It is empty, because none of these states is
 * the state of an agent in the chart.
 */
const noMetadata: ReadonlyMap<string, StateMeta> = new Map()

/**
 * Adds the machines of a chart to `machines`, including the machines of workflows inside its graph
 * nodes. `scope` is the prefix of their keys.
 */
function loadMachines(
  chart: AgentChart,
  scope: string,
  machines: Map<string, MachineProgram>,
  features: ChartFeatures,
): void {
  if (chart.formatVersion !== 1)
    throw invalid(
      `its formatVersion is ${JSON.stringify(chart.formatVersion)}, but this version supports 1. Compile the config again`,
    )
  if (!features.summarizes && preparesCalls(chart)) throw featureMissing("compaction")
  const definitions = machinesOf(chart, features.machines)
  if (!Object.hasOwn(chart.machines, chart.root))
    throw invalid(`its root machine "${chart.root}" is missing`)
  const conditions = new Conditions(features.compileCondition)
  const validate = jsonValidator()
  const isLibraryChecked = checkedLibraries.has(features.machines)
  for (const [key, definition] of definitions) {
    const isLibrary = !Object.hasOwn(chart.machines, key)
    const metadata =
      isLibrary && isLibraryChecked
        ? noMetadata
        : checkMachine(key, definition, definitions, conditions)
    const lookup: Lookup = {
      chart,
      metaOf: (path) =>
        metadata.get(path) ?? missing(`machine "${key}" has no agent at the path "${path}"`),
      condition: (source) => conditions.get(source),
      validate,
    }
    machines.set(scope + key, { key: scope + key, scope, ...definition, lookup })
  }
  checkedLibraries.add(features.machines)
  for (const [id, tool] of Object.entries(chart.tools)) {
    if (tool.type === "AgentTool" && !definitions.has(tool.machine))
      throw invalid(`tool "${id}" uses the machine "${tool.machine}", which is missing`)
  }
  for (const agent of Object.values(chart.agents))
    if (agent.type === "LlmAgent") for (const { when } of agent.routes ?? []) conditions.get(when)
  for (const [key, inner] of Object.entries(chart.charts ?? {}))
    loadMachines(inner, `${scope}${key}/`, machines, features)
}

/**
 * Returns true if an agent of the chart summarizes its conversation or loads memories before a
 * model call.
 */
const preparesCalls = ({ agents }: AgentChart): boolean =>
  Object.values(agents).some(
    (agent) => agent.type === "LlmAgent" && (agent.compaction ?? agent.memoryService) !== undefined,
  )

/** Cache of the compiled conditions of a chart. Each condition is compiled only once. */
class Conditions {
  readonly #compile: ChartFeatures["compileCondition"]
  readonly #compiled = new Map<string, CompiledCondition>()

  constructor(compile: ChartFeatures["compileCondition"]) {
    this.#compile = compile
  }

  get(source: string): CompiledCondition {
    const known = this.#compiled.get(source)
    if (known !== undefined) return known
    if (this.#compile === null) throw featureMissing("conditions")
    const compiled = this.#compile(source)
    this.#compiled.set(source, compiled)
    return compiled
  }
}

const invalid = (why: string): AgentStatechartsError =>
  new AgentStatechartsError("chart_invalid", `this chart cannot be run: ${why}`)

const missing = (why: string): never => {
  throw invalid(why)
}

/**
 * Checks that all actions, guards, machines and conditions that a machine uses exist. Returns the
 * metadata of its agents' states, by state path.
 */
function checkMachine(
  key: string,
  { config, kind }: MachineDefinition,
  definitions: ReadonlyMap<string, MachineDefinition>,
  conditions: Conditions,
): ReadonlyMap<string, StateMeta> {
  const metadata = new Map<string, StateMeta>()
  const checkActions = (actions: readonly NamedAction[] | undefined, where: string): void => {
    for (const { type, params } of actions ?? []) {
      if (!Object.hasOwn(kind.updates, type))
        missing(`${where} uses the action "${type}", which does not exist`)
      const source = params?.["condition"]
      if (typeof source === "string") conditions.get(source)
    }
  }
  const checkTransitions = (transitions: Transitions | undefined, where: string): void => {
    for (const { guard, actions } of transitions ?? []) {
      if (guard !== undefined && !Object.hasOwn(kind.guards, guard.type))
        missing(`${where} uses the guard "${guard.type}", which does not exist`)
      checkActions(actions, where)
    }
  }
  const visit = (
    state: ChartState & { readonly on?: Readonly<Record<string, Transitions>> },
    where: string,
  ): void => {
    if (state.meta !== undefined) metadata.set(state.meta.place, state.meta)
    checkActions(state.entry, where)
    checkActions(state.exit, where)
    checkTransitions(state.always, where)
    checkTransitions(state.onDone, where)
    for (const transitions of Object.values(state.on ?? {})) checkTransitions(transitions, where)
    if (state.invoke !== undefined) {
      const { src, onDone } = state.invoke
      if (!isLeafSource(src) && !definitions.has(src)) {
        const feature = featureOfMachine(src)
        if (feature !== null) throw featureMissing(feature)
        missing(`${where} invokes "${src}", which does not exist`)
      }
      checkTransitions(onDone, where)
    }
    for (const [name, inner] of Object.entries(state.states ?? {})) visit(inner, `${where}.${name}`)
  }
  for (const transitions of Object.values(config.on ?? {}))
    checkTransitions(transitions, `machine "${key}"`)
  for (const [name, state] of Object.entries(config.states)) visit(state, `state "${key}.${name}"`)
  return metadata
}
