import type { AnyActorLogic } from "xstate"
import { fromPromise } from "xstate"
import type { LeafSource } from "../../machines/registry/leaf-sources.js"
import { isNotification } from "../../machines/contract/graphs/node-service.js"
import type { Envelope, HostRequest } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import type { ModelCallMeter } from "../driver/model-call-meter.js"
import { ModelCallMeters } from "../driver/model-call-meters.js"
import { modelCalled } from "../driver/model-called.js"
import { addToTally, noTally } from "../driver/outcome.js"
import type { DeltaSink } from "../driver/host.js"
import { deltaOf, waitingOf } from "../events/delta-emitter.js"
import { startCall } from "../host/start-call.js"
import { gateOf, stopHalted } from "./actor-policies.js"
import { releaseAtEnd } from "./release-at-end.js"
import type { ActorWithParent, MachineBinding } from "./machine-binding.js"
import { rootOf } from "./machine-binding.js"

export type OnEvent = ((event: EmittedEvent) => void) | undefined

/**
 * Returns XState promise logic for one kind of external call, for example model calls or tool
 * calls. The promise resolves to an `Envelope`, which contains the result or the error of the call.
 * It never rejects.
 */
export function leafLogic(
  src: LeafSource,
  binding: MachineBinding,
  onEvent: OnEvent,
): AnyActorLogic {
  return fromPromise(
    async ({
      input,
      signal,
      self,
    }: {
      input: unknown
      signal: AbortSignal
      self: ActorWithParent
    }): Promise<Envelope> => {
      if (src === "callHost")
        releaseAtEnd(self, binding, (input as { readonly request: HostRequest }).request.runId)
      const gate = gateOf(self, binding)
      if (gate !== null && gate.end !== null && !isNotification(src, input)) return neverCalled()
      // Text is only streamed to `onEvent`. Without `onEvent`, the service does not need to stream,
      // because it is unknown whether an actor has other listeners.
      const streams = onEvent !== undefined && (src === "callModel" || src === "callWorkflow")
      const root = rootOf(self, binding)
      const emit = streams ? toListeners(root, binding, onEvent) : undefined
      if (src !== "callModel") return callOnce(src, input, binding, signal, emit)
      const meter = meterOf(self, binding)
      const refused = meter.admit(input, binding.clock.now())
      if (refused !== null) return refused
      const called = modelCalled(input)
      if (called !== null && !pass(called, root, binding, onEvent)) return neverCalled()
      const result = await callOnce(src, input, binding, signal, emit)
      meter.answered(input, result)
      return result
    },
  )
}

/**
 * Returns a promise that never resolves. It replaces a call that a policy prevents. The policy ends
 * the run, and the end of the run stops the call, so no result is needed.
 */
const neverCalled = (): Promise<Envelope> => new Promise(() => {})

/**
 * Checks an event against the policies. If they permit it, reports the event and the policy
 * violations that it causes, and returns true. If a policy forbids the event, ends the run and
 * returns false.
 */
function pass(
  event: EmittedEvent,
  root: ActorWithParent,
  binding: MachineBinding,
  onEvent: OnEvent,
): boolean {
  const emit = (one: EmittedEvent): void => reportEvent(one, root, binding, onEvent)
  const gate = gateOf(root, binding)
  if (gate?.admits(event, emit) === false) {
    stopHalted(root, binding)
    return false
  }
  const violations = gate?.follow(event) ?? []
  for (const one of [event, ...violations]) emit(one)
  return true
}

/**
 * Reports an event of a run: adds it to the usage and failure counts of the run, passes it to
 * `onEvent`, and emits it from the root actor of the run.
 */
export function reportEvent(
  event: EmittedEvent,
  root: ActorWithParent,
  binding: MachineBinding,
  onEvent: OnEvent,
): void {
  const { tallies } = binding
  tallies.set(root, addToTally(tallies.get(root) ?? noTally, event))
  toListeners(root, binding, onEvent)(event)
}

const toListeners =
  (root: ActorWithParent, { emitters }: MachineBinding, onEvent: OnEvent) =>
  (event: EmittedEvent): void => {
    onEvent?.(event)
    emitters.get(root)?.(event)
  }

const callOnce = (
  src: LeafSource,
  input: unknown,
  { calls, host, clock, children }: MachineBinding,
  signal: AbortSignal,
  emit?: (event: EmittedEvent) => void,
): Promise<Envelope> =>
  new Promise((resolve) => {
    const live: DeltaSink | undefined = emit && {
      hasSubscribers: () => true,
      emit: (request, text) => emit(deltaOf(request, text)),
      waits: (request, wait) => emit(waitingOf(request, wait)),
    }
    const stop = startCall(src, input, { services: calls, host, clock, children }, resolve, live)
    signal.addEventListener("abort", () => stop(), { once: true })
  })

/**
 * Returns the meter that counts a model call against the limits and budgets. For a call inside a
 * graph node, this is the meter of the workflow in the node. Otherwise, it is the meter of the run.
 */
function meterOf(call: ActorWithParent, binding: MachineBinding): ModelCallMeter {
  const { meters, program, machines } = binding
  const run = rootOf(call, binding)
  const known = meters.get(run) ?? new ModelCallMeters<ActorWithParent>(program.chart)
  meters.set(run, known)
  const programOf = ({ logic }: ActorWithParent) => logic && machines.get(logic)
  let root = call._parent
  const caller = root && programOf(root)
  if (root === undefined || caller === undefined || caller.scope === "") return known.ofRun
  while (root._parent !== undefined && programOf(root._parent)?.scope === caller.scope)
    root = root._parent
  return known.of(root, caller.lookup.chart)
}
