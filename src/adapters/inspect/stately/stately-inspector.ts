import type {
  createBrowserInspector as InBrowserInspector,
  StatelyActorEvent,
  StatelyInspectionEvent,
} from "@statelyai/inspect"
import type { InspectionEvent, Observer } from "xstate"
import { plainSnapshot } from "../plain-snapshot.js"
import type { InspectedValueOptions } from "../inspected-value.js"
import { maxDepth, copyForInspector } from "../inspected-value.js"
import {
  createBrowserInspector,
  createInspector,
  createWebSocketInspector,
} from "./inspector-package.js"

/**
 * Destination of the inspection messages. It is the URL of a WebSocket relay, a function that sends
 * messages, or, in a browser, a window or an iframe with the viewer.
 */
export type StatelyTarget =
  | { /** URL of the relay, such as `ws://127.0.0.1:8080`. */ readonly url: string }
  | { /** Called with each message as JSON text. */ readonly send: (text: string) => void }
  | {
      readonly window: NonNullable<InBrowser["window"]>
      /** The iframe that contains the viewer. Default: the viewer opens in a new window. */
      readonly iframe?: NonNullable<InBrowser["iframe"]>
      /** URL of the viewer. Default: `https://stately.ai/inspect`. */
      readonly viewer?: string
    }

type InBrowser = NonNullable<Parameters<typeof InBrowserInspector>[0]>

export type StatelyInspectorOptions = StatelyTarget & InspectedValueOptions

export interface StatelyInspector {
  /**
   * Observer of XState inspection events, which sends the events to the viewer. Pass it to
   * `createRunner({ inspect })` or `createActor(machine, { inspect })`. It never throws.
   */
  readonly inspect: Required<Pick<Observer<InspectionEvent>, "next">>
  /** Sends all remaining messages, then disconnects from the viewer. */
  close(): Promise<void>
}

/**
 * Maximum number of messages that are queued until the viewer is ready. The default of
 * `@statelyai/inspect` is 200. With this default, the first messages, which contain the charts,
 * would be lost.
 */
const maxDeferredEvents = 20_000

/**
 * Creates an inspector that sends runs and actors to the viewer of Stately. Values are shortened
 * and secrets are hidden (see `InspectedValueOptions`). Statecharts are sent completely.
 *
 * @example
 * const inspector = statelyInspector({ url: "ws://127.0.0.1:8080" })
 * const runner = createRunner({ http, inspect: inspector.inspect })
 */
export function statelyInspector(options: StatelyInspectorOptions): StatelyInspector {
  const show = copyForInspector(options)
  const cutting = {
    // By default, the package cuts values at depth 10. The states of nested agents are deeper.
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
      // The package sends events when the process is idle. Wait until earlier events are sent.
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
      ...(iframe !== undefined && { iframe }),
      ...(viewer !== undefined && { url: viewer }),
    })
    return { inspect: inspector.inspect, end: () => inspector.stop() }
  }
  const inspector = createWebSocketInspector({ ...cutting, url: target.url })
  return { inspect: inspector.inspect, end: () => leave(inspector) }
}

/**
 * Disconnects from the WebSocket relay and stops the automatic reconnection of the package
 * `@statelyai/inspect`. Its method `stop` alone closes the connection, but the package then
 * reconnects.
 */
async function leave(inspector: ReturnType<typeof createWebSocketInspector>): Promise<void> {
  // The types of the package declare the socket as private, but only the socket can stop the
  // reconnection.
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

/**
 * Returns an inspection event with shortened values. The values are shortened before the package
 * `@statelyai/inspect` receives the event, because the package copies the complete values.
 */
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
