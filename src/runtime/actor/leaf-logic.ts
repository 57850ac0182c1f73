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
import type { ActorWithParent, Embedding } from "./embedding.js"
import { rootOf } from "./embedding.js"

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
      self,
    }: {
      input: unknown
      signal: AbortSignal
      self: ActorWithParent
    }): Promise<Envelope> => {
      if (src === "callHost")
        releaseAtEnd(self, embedding, (input as { readonly request: HostRequest }).request.runId)
      if (src !== "callModel") return callOnce(src, input, embedding, signal)
      const root = rootOf(self, embedding)
      const meter = meterOf(root, embedding)
      const refused = meter.admit(input, embedding.clock.now())
      if (refused !== null) return refused
      const called = modelCalled(input)
      if (called !== null) report(called, root, embedding, onEvent)
      // Without `onEvent`, the text is not streamed, because listeners of an actor are not known.
      const emit = onEvent && toListeners(root, embedding, onEvent)
      const result = await callOnce(src, input, embedding, signal, emit)
      meter.answered(input, result)
      return result
    },
  )
}

/**
 * Counts the usage of an event, passes the event to `onEvent` and emits it from the actor of the
 * run.
 */
export function report(
  event: EmittedEvent,
  root: ActorWithParent,
  embedding: Embedding,
  onEvent: OnEvent,
): void {
  const { usage } = embedding
  usage.set(root, addUsage(usage.get(root) ?? noUsage, event))
  toListeners(root, embedding, onEvent)(event)
}

const toListeners =
  (root: ActorWithParent, { emitters }: Embedding, onEvent: OnEvent) =>
  (event: EmittedEvent): void => {
    onEvent?.(event)
    emitters.get(root)?.(event)
  }

const callOnce = (
  src: LeafSource,
  input: unknown,
  { calls, host, clock }: Embedding,
  signal: AbortSignal,
  emit?: (event: EmittedEvent) => void,
): Promise<Envelope> =>
  new Promise((resolve) => {
    const live: DeltaSink | undefined = emit && {
      hasSubscribers: () => true,
      emit: (request, text) => emit(deltaOf(request, text)),
    }
    const stop = startCall(src, input, { services: calls, host, clock }, resolve, live)
    signal.addEventListener("abort", stop, { once: true })
  })

function meterOf(root: ActorWithParent, { meters, program }: Embedding): ModelCallMeter {
  const known = meters.get(root)
  if (known !== undefined) return known
  const made = new ModelCallMeter(program.chart)
  meters.set(root, made)
  return made
}
