import type {
  createBrowserInspector as InBrowserInspector,
  StatelyActorEvent,
  StatelyInspectionEvent,
} from "@statelyai/inspect"
import type { InspectionEvent, Observer } from "xstate"
import { plainSnapshot } from "../plain-snapshot.js"
import type { ShownOptions } from "../shown-value.js"
import { maxDepth, showing } from "../shown-value.js"
import {
  createBrowserInspector,
  createInspector,
  createWebSocketInspector,
} from "./inspector-package.js"

/** Where to: a relay behind a WebSocket, a function, or in a browser a window or an iframe with the viewer. */
export type StatelyTarget =
  | { /** `ws://127.0.0.1:8080`. */ readonly url: string }
  | { /** Given each message as a text. */ readonly send: (text: string) => void }
  | {
      readonly window: NonNullable<InBrowser["window"]>
      /** Where the viewer is shown; a new window unless given. */
      readonly iframe?: NonNullable<InBrowser["iframe"]>
      /** Another viewer than https://stately.ai/inspect. */
      readonly viewer?: string
    }

type InBrowser = NonNullable<Parameters<typeof InBrowserInspector>[0]>

export type StatelyInspectorOptions = StatelyTarget & ShownOptions

export interface StatelyInspector {
  /** For `createRunner({ inspect })` and for `createActor(machine, { inspect })`. It never throws. */
  readonly inspect: Required<Pick<Observer<InspectionEvent>, "next">>
  /** Sends what is left and lets go of the target. */
  close(): Promise<void>
}

/** Of messages to a viewer that is not there yet so many are kept; the package drops the eldest of 200, and with them the charts. */
const maxDeferredEvents = 20_000

/**
 * Sends runs and actors to Stately's inspector. What it shows is cut and secrets are left out (`ShownOptions`); charts are sent whole.
 *
 * @example
 * const inspector = statelyInspector({ url: "ws://127.0.0.1:8080" })
 * const runner = createRunner({ http, inspect: inspector.inspect })
 */
export function statelyInspector(options: StatelyInspectorOptions): StatelyInspector {
  const show = showing(options)
  const cutting = {
    // The package cuts everything at a depth of 10, which the states of nested agents soon pass.
    serializationDepthLimit: maxDepth,
    maxDeferredEvents,
    serialize: (event: StatelyInspectionEvent) =>
      event.type === "@xstate.actor"
        ? { ...event, snapshot: shownSnapshot(event.snapshot, show) }
        : event,
  }
  const { inspect, end } = opened(options, cutting)
  return {
    inspect: { next: (event) => inspect.next?.(shownEvent(event, show)) },
    async close() {
      // The package sends an event when nothing else is to be done; what was told before this line is sent before it goes on.
      await new Promise((resolve) => setTimeout(resolve, 0))
      await end()
    },
  }
}

interface Cutting {
  readonly serializationDepthLimit: number
  readonly maxDeferredEvents: number
  readonly serialize: (event: StatelyInspectionEvent) => StatelyInspectionEvent
}

function opened(
  target: StatelyTarget,
  cutting: Cutting,
): { readonly inspect: Observer<InspectionEvent>; readonly end: () => Promise<void> | void } {
  if ("send" in target) {
    const { inspect } = createInspector(
      { send: (event) => target.send(JSON.stringify(event)) },
      cutting,
    )
    return { inspect, end() {} }
  }
  if ("window" in target) {
    const { window, iframe, viewer } = target
    const inspector = createBrowserInspector({
      ...cutting,
      window,
      ...(iframe === undefined ? {} : { iframe }),
      ...(viewer === undefined ? {} : { url: viewer }),
    })
    return { inspect: inspector.inspect, end: () => inspector.stop() }
  }
  const inspector = createWebSocketInspector({ ...cutting, url: target.url })
  return { inspect: inspector.inspect, end: () => leave(inspector) }
}

/** The package connects again five seconds after any failure, for ever: also after its end, where it ended before it was connected. */
async function leave(inspector: ReturnType<typeof createWebSocketInspector>): Promise<void> {
  // Its type calls the socket private; there is no other way to stop it from connecting again.
  const { ws } = inspector.adapter as unknown as { readonly ws: Socket }
  const { onopen } = ws
  if (ws.readyState === ws.CONNECTING) {
    await new Promise<void>((resolve) => {
      ws.onopen = (event) => {
        onopen?.(event)
        resolve()
      }
      ws.onerror = () => resolve()
    })
  }
  ws.onerror = () => {}
  inspector.stop()
}

interface Socket {
  readonly readyState: number
  readonly CONNECTING: number
  onopen: ((event: unknown) => void) | null
  onerror: (() => void) | null
}

type StatelySnapshot = StatelyActorEvent["snapshot"]

const shownSnapshot = (snapshot: unknown, show: (value: unknown) => unknown): StatelySnapshot =>
  show(plainSnapshot(snapshot)) as StatelySnapshot

/** Cut at once: the package looks at an event when nothing else is to be done, and would copy all of it. */
function shownEvent(event: InspectionEvent, show: (value: unknown) => unknown): InspectionEvent {
  switch (event.type) {
    case "@xstate.snapshot":
      return {
        ...event,
        event: show(event.event) as typeof event.event,
        snapshot: shownSnapshot(event.snapshot, show) as typeof event.snapshot,
      }
    case "@xstate.event":
      return { ...event, event: show(event.event) as typeof event.event }
    case "@xstate.actor":
    case "@xstate.transition":
    case "@xstate.microstep":
    case "@xstate.action":
      return event
  }
}
