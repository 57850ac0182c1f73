import type { AnyActorLogic, AnyStateMachine } from "xstate"
import { fromCallback } from "xstate"
import { checkChart } from "../../machines/contract/check-chart.js"
import { checkOptions } from "../../machines/data/check-arguments.js"
import { checkServices } from "../host/check-services.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import type { ChartStateValue } from "../../machines/contract/chart-state-value.js"
import { leafSources } from "../../machines/registry/leaf-sources.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { Clock } from "../driver/host.js"
import type { CallServices } from "../host/call-services.js"
import { callServiceNames } from "../host/call-services.js"
import { hostFunctionRunner } from "../host/host-function-runner.js"
import { steadyClock } from "../host/steady-clock.js"
import { systemClock } from "../host/system-clock.js"
import { performMachine } from "../host/user-machine/perform-machine.js"
import type { PolicySet } from "../../policies/policy.js"
import { runPolicySets } from "../policies/run-policy-sets.js"
import type { MachineProgram } from "../program/program.js"
import { loadProgram } from "../program/load-program.js"
import { childrenInMemory } from "../runner/children-in-memory.js"
import { leafLogic } from "./leaf-logic.js"
import type { MachineBinding } from "./machine-binding.js"
import { bindMachine } from "./machine-binding.js"
import { keepEmitter, rootParts } from "./root-machine.js"
import type { RunMachine } from "./run-machine.js"
import { xstateMachine } from "./xstate-machine.js"

/** Services and options of `toMachine`, which converts a chart to an XState machine. */
export interface MachineServices extends CallServices {
  readonly clock?: Clock
  /**
   * Called with each event of the run, in order. Unlike the events of `run.events$`, these events
   * have no fields `seq`, `at` and `runId`.
   */
  readonly onEvent?: (event: EmittedEvent) => void
  /**
   * Policies that are checked in every run. Pass the result of `readPolicies`, or several results
   * as an array (docs/policies.md#enforce-policies).
   */
  readonly policies?: PolicySet | readonly PolicySet[]
  /**
   * If true, calls that would violate a policy are rejected. If false, violations are only
   * reported. Default: false.
   */
  readonly enforce?: boolean
}

const serviceNames = Object.keys({
  ...callServiceNames,
  clock: true,
  onEvent: true,
  policies: true,
  enforce: true,
} satisfies Record<keyof MachineServices, true>)

/**
 * Returns the chart as an XState machine for `createActor`, `invoke`, `@xstate/react` and
 * inspectors. The input of its actor is `{ prompt?, state?, runId?, artifacts?, session? }`, and
 * its output is the result of the run. The actor emits the events of the run. The run is not stored
 * in a journal. To answer requests, send messages to the actor or use `controlActor`.
 *
 * @example
 * const actor = createActor(toMachine(chart, { http }), { input: { prompt: "Hello" } })
 * actor.start()
 *
 * If a service that the chart names is missing, the actor starts in XState's `error` status with a
 * `service_missing` error (docs/semantics.md#failures). `controlActor` returns this error as the
 * result of a failed run.
 *
 * @throws AgentStatechartsError `chart_invalid`, or `argument_invalid` for wrong services.
 */
export function toMachine<StateValue extends ChartStateValue = ChartStateValue>(
  chart: AgentChart<StateValue>,
  services: MachineServices = {},
): RunMachine<StateValue> {
  checkChart(chart, "toMachine")
  checkOptions(services, {
    call: "toMachine",
    example: "{ models: { small } }",
    known: serviceNames,
  })
  checkServices(services)
  const program = loadProgram(chart)
  const { clock = systemClock, onEvent, policies, enforce = false, ...calls } = services
  const sets = runPolicySets(policies, enforce)
  const machines = new Map<AnyActorLogic, MachineProgram>()
  const binding: MachineBinding = {
    program,
    clock: steadyClock(clock, Number.NEGATIVE_INFINITY),
    calls,
    host: hostFunctionRunner(calls.services ?? {}, performMachine),
    children: childrenInMemory({ chart, ...(sets !== null && { policies: sets }) }, calls, clock),
    machines,
    tallies: new WeakMap(),
    meters: new WeakMap(),
    policies: sets,
    gates: new WeakMap(),
    controls: new WeakMap(),
    emitters: new WeakMap(),
    released: new WeakSet(),
  }
  // Each workflow (the chart itself, and each workflow inside a graph node) has one object with its
  // actor logic, because the machines of a workflow can invoke each other. The key of the chart
  // itself is the empty string. Its object also contains the machines of all graph nodes, which a
  // graph can invoke. The loop below adds the machines to these objects. A machine is created when
  // it is first invoked, because a run needs only a few of them.
  const scopes = new Map<string, Record<string, AnyActorLogic>>()
  const actorsOf = (scope: string): Record<string, AnyActorLogic> => {
    const known = scopes.get(scope)
    if (known !== undefined) return known
    const actors: Record<string, AnyActorLogic> = {}
    for (const src of leafSources) actors[src] = leafLogic(src, binding, onEvent)
    actors["begin"] = fromCallback(({ sendBack }) => sendBack({ type: "begin" }))
    scopes.set(scope, actors)
    return actors
  }
  for (const machine of program.machines.values()) {
    const { key, scope } = machine
    let created: AnyActorLogic | null = null
    const logic = (): AnyActorLogic => {
      if (created !== null) return created
      const root = key === chart.root ? rootParts(binding, onEvent) : null
      created = xstateMachine(machine, { binding, onEvent, actors: actorsOf(scope), root })
      machines.set(created, machine)
      return created
    }
    const lazily: PropertyDescriptor = { get: logic, enumerable: true, configurable: true }
    Object.defineProperty(actorsOf(scope), key.slice(scope.length), lazily)
    Object.defineProperty(actorsOf(""), key, lazily)
  }
  const root = keepEmitter(actorsOf("")[chart.root] as AnyStateMachine, binding)
  // The states of the machine are known only at run time. The compiler derives their type from the
  // config.
  return bindMachine(root, binding)
}
