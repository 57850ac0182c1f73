import type { InspectionEvent, Observer } from "xstate"
import type { PlainSnapshot } from "../plain-snapshot.js"
import { plainSnapshot } from "../plain-snapshot.js"
import type { InspectedValueOptions } from "../inspected-value.js"
import { copyForInspector } from "../inspected-value.js"
import type { InspectedMachineConfig } from "./machine-in-version-4.js"
import { isMachineConfig, machineInVersion4 } from "./machine-in-version-4.js"
import type { ServiceMessage } from "./service-message.js"
import { scxmlEvent, stateInVersion4 } from "./service-message.js"

export interface XStateInspectOptions extends InspectedValueOptions {
  /**
   * Sends a message to all viewers, for example over a WebSocket or with `postMessage` to a window.
   */
  readonly send: (message: ServiceMessage) => void
  /**
   * Maximum number of ended machines whose last state is stored. The bridge sends the stored states
   * to viewers that connect later. Default: 1,000.
   */
  readonly remembered?: number
}

export interface XStateInspectBridge {
  /**
   * Observer of XState inspection events, which reports the events to the viewers. Pass it to
   * `createRunner({ inspect })` or `createActor(machine, { inspect })`.
   */
  readonly inspect: Required<Pick<Observer<InspectionEvent>, "next">>
  /**
   * Processes a message from a viewer, either as JSON text or as the data of a `postMessage` event.
   * If a viewer connects (`xstate.inspecting`), the bridge sends the current state of all machines.
   * Events from a viewer are ignored, so that a viewer cannot change a run.
   */
  receive(message: unknown): void
}

interface Service {
  readonly sessionId: string
  readonly id: string
  readonly parent: string | undefined
  readonly machine: string
  state: string
  hasEnded: boolean
}

/** The fields of an actor or of a machine of a run that the bridge reads. */
interface SeenActor {
  readonly id: string
  readonly sessionId: string
  readonly logic?: { readonly config?: unknown }
  readonly _parent?: { readonly sessionId: string }
}

/**
 * Creates a bridge that reports runs and actors to viewers for `@xstate/inspect` 0.8. Each machine
 * is reported as a service, with the messages `service.register`, `service.event`, `service.state`
 * and `service.stop`. Calls of models, tools and host functions are not reported, because
 * `@xstate/inspect` reports only machines.
 *
 * @example
 * const bridge = xstateInspectBridge({ send: (message) => viewer.postMessage(message, "https://viewer.example.com") })
 * addEventListener("message", ({ source, data }) => source === viewer && bridge.receive(data))
 * createActor(toMachine(chart, services), { inspect: bridge.inspect }).start()
 */
export function xstateInspectBridge({
  send,
  remembered = 1_000,
  ...shown
}: XStateInspectOptions): XStateInspectBridge {
  const show = copyForInspector(shown)
  const services = new Map<string, Service>()
  const over = new Set<Service>()
  const machines = new WeakMap<InspectedMachineConfig, string>()

  const written = (config: InspectedMachineConfig): string => {
    const machine = machines.get(config) ?? JSON.stringify(machineInVersion4(config))
    machines.set(config, machine)
    return machine
  }

  const register = ({ sessionId, id, parent, machine, state }: Service): void =>
    send({
      type: "service.register",
      machine,
      state,
      id,
      sessionId,
      ...(parent !== undefined && { parent }),
    })

  const ends = (service: Service): void => {
    service.hasEnded = true
    over.add(service)
    send({ type: "service.stop", sessionId: service.sessionId })
    if (over.size <= remembered) return
    const [eldest] = over
    if (eldest === undefined) return
    over.delete(eldest)
    services.delete(eldest.sessionId)
  }

  /**
   * Reports a machine's new state to the viewers. The first report also registers the machine,
   * because a machine has no state yet when its actor is created.
   */
  const reportState = (
    actor: SeenActor,
    snapshot: PlainSnapshot,
    event: { readonly type: string },
  ): void => {
    const { sessionId } = actor
    const lastEvent = scxmlEvent(event, show(event), undefined)
    const state = JSON.stringify(
      stateInVersion4({ ...snapshot, context: show(snapshot.context) }, lastEvent, sessionId),
    )
    const known = services.get(sessionId)
    if (known?.hasEnded === true) return
    if (known !== undefined) {
      known.state = state
      send({ type: "service.state", state, sessionId })
      if (snapshot.status !== "active") ends(known)
      return
    }
    if (!isMachineConfig(actor.logic?.config)) return
    const service: Service = {
      sessionId,
      id: actor.id,
      parent: actor._parent?.sessionId,
      machine: written(actor.logic.config),
      state,
      hasEnded: false,
    }
    services.set(sessionId, service)
    register(service)
    send({ type: "service.event", event: JSON.stringify(lastEvent), sessionId })
    if (snapshot.status !== "active") ends(service)
  }

  return {
    inspect: {
      next(inspected) {
        // The cast is needed because the types of XState omit fields that inspectors receive.
        const actor = inspected.actorRef as unknown as SeenActor
        if (inspected.type === "@xstate.snapshot") {
          const snapshot = plainSnapshot(inspected.snapshot)
          if (snapshot !== null) reportState(actor, snapshot, inspected.event)
        } else if (
          inspected.type === "@xstate.event" &&
          services.get(actor.sessionId)?.hasEnded === false
        ) {
          const { event, sourceRef } = inspected
          send({
            type: "service.event",
            event: JSON.stringify(scxmlEvent(event, show(event), sourceRef?.sessionId)),
            sessionId: actor.sessionId,
          })
        }
      },
    },
    receive(message) {
      if (typeOf(message) !== "xstate.inspecting") return
      for (const service of services.values()) {
        register(service)
        if (service.hasEnded) send({ type: "service.stop", sessionId: service.sessionId })
      }
    },
  }
}

/**
 * Returns the type of a message from a viewer, for example `xstate.inspecting`. Returns undefined
 * for every other value, because other programs may send messages to the same window.
 */
function typeOf(message: unknown): unknown {
  const read = typeof message === "string" ? parsed(message) : message
  return typeof read === "object" && read !== null && "type" in read ? read.type : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
