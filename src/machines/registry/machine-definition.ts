import type { AgentChart } from "../contract/agent-chart.js"
import type { ChartMachine } from "../contract/chart-machine.js"
import type { Guard, Lookup, MachineKind, Update } from "../contract/machine-kind.js"
import type { SessionState } from "../data/session-state.js"

/**
 * A `MachineKind` with unknown types of context, input and output, so that an interpreter can run
 * every machine. This is safe because an interpreter passes a context only to functions of the
 * machine that created it.
 */
export interface AnyMachineKind {
  contextFrom(input: unknown, chart: AgentChart): object
  readonly updates: Readonly<Record<string, Update<object>>>
  readonly guards: Readonly<Record<string, Guard<object>>>
  childInput(
    context: object,
    src: string,
    config: Readonly<Record<string, unknown>>,
    lookup: Lookup,
  ): unknown
  output(context: object): unknown
  refill?(context: object): void
  liveState?(context: object): SessionState
  readonly dropsChildren?: true
  pending: MachineKind<object, unknown, unknown>["pending"]
}

/**
 * The config of a machine as JSON. The machines of a chart and the machines of this package have
 * the same format.
 */
export type MachineConfig = Pick<ChartMachine, "id" | "initial" | "states" | "on"> & {
  readonly meta?: ChartMachine["meta"]
}

export interface MachineDefinition {
  readonly config: MachineConfig
  readonly kind: AnyMachineKind
}

// The only function that discards the type parameters of a kind (see AnyMachineKind).
export const asAnyMachineKind = (kind: unknown): AnyMachineKind => kind as AnyMachineKind

// Configs declared `as const` have readonly literal types, which need this cast. `checkChart`
// validates the configs.
export const asMachineConfig = (config: unknown): MachineConfig => config as MachineConfig

/** Machines of this package, by the names under which charts invoke them. */
export type MachineLibrary = Readonly<Record<string, MachineDefinition>>
