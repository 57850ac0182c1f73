import type { AnyActorLogic } from "xstate"
import { fromPromise } from "xstate"
import type { LeafSource } from "../../machines/registry/machine-registry.js"
import type { Envelope, HostRequest } from "../../machines/contract/services.js"
import type { EmittedEvent } from "../../machines/contract/run-event.js"
import { ModelCallMeter } from "../driver/model-call-meter.js"
import { modelCalled } from "../driver/model-called.js"
import { addUsage, noUsage } from "../driver/outcome.js"
import type { DeltaSink } from "../driver/host.js"
import { deltaOf } from "../events/delta-emitter.js"
import { startCall } from "../host/start-call.js"
import { releaseAtEnd } from "./release-at-end.js"
import type { ActorWithParent, AnyActorSystem, Embedding } from "./embedding.js"

type OnEvent = ((event: EmittedEvent) => void) | undefined

/**
 * Returns actor logic for a leaf call. The promise always resolves to an `Envelope`. A failed call
 * resolves to an envelope with an error.
 */
export function leafLogic(src: LeafSource, embedding: Embedding, onEvent: OnEvent): AnyActorLogic {
  return fromPromise(
    async ({
      input,
      signal,
      system,
      self,
    }: {
      input: unknown
      signal: AbortSignal
      system: AnyActorSystem
      self: ActorWithParent
    }): Promise<Envelope> => {
      if (src === "callHost")
        releaseAtEnd(self, embedding, (input as { readonly request: HostRequest }).request.runId)
      if (src !== "callModel") return callOnce(src, input, embedding, signal, onEvent)
      const meter = meterOf(system, embedding)
      const refused = meter.admit(input, embedding.clock.now())
      if (refused !== null) return refused
      const called = modelCalled(input)
      if (called !== null) report(called, system, embedding, onEvent)
      const result = await callOnce(src, input, embedding, signal, onEvent)
      meter.answered(input, result)
      return result
    },
  )
}

/** Counts the usage of an event and passes the event to `onEvent`. */
export function report(
  event: EmittedEvent,
  system: AnyActorSystem,
  { usage }: Embedding,
  onEvent: OnEvent,
): void {
  usage.set(system, addUsage(usage.get(system) ?? noUsage, event))
  onEvent?.(event)
}

const callOnce = (
  src: LeafSource,
  input: unknown,
  { calls, host, clock }: Embedding,
  signal: AbortSignal,
  onEvent: OnEvent,
): Promise<Envelope> =>
  new Promise((resolve) => {
    const live: DeltaSink | undefined = onEvent && {
      hasSubscribers: () => true,
      emit: (request, text) => onEvent(deltaOf(request, text)),
    }
    const stop = startCall(src, input, { services: calls, host, clock }, resolve, live)
    signal.addEventListener("abort", stop, { once: true })
  })

function meterOf(system: AnyActorSystem, { meters, program }: Embedding): ModelCallMeter {
  const known = meters.get(system)
  if (known !== undefined) return known
  const made = new ModelCallMeter(program.chart)
  meters.set(system, made)
  return made
}
