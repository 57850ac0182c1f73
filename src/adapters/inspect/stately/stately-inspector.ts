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

/**
 * Connection to the viewer: a WebSocket relay, a function, or, in a browser, a window or iframe.
 */
export type StatelyTarget =
  | { /** `ws://127.0.0.1:8080`. */ readonly url: string }
  | { /** Given each message as a text. */ readonly send: (text: string) => void }
  | {
      readonly window: NonNullable<InBrowser["window"]>
      /** The iframe of the viewer. Default: a new window. */
      readonly iframe?: NonNullable<InBrowser["iframe"]>
      /** URL of another viewer. Default https://stately.ai/inspect. */
      readonly viewer?: string
    }

type InBrowser = NonNullable<Parameters<typeof InBrowserInspector>[0]>

export type StatelyInspectorOptions = StatelyTarget & ShownOptions

export interface StatelyInspector {
  /**
   * Pass this as `createRunner({ inspect })` or `createActor(machine, { inspect })`. It never
   * throws.
   */
  readonly inspect: Required<Pick<Observer<InspectionEvent>, "next">>
  /** Sends the remaining messages and disconnects. */
  close(): Promise<void>
}

/**
 * Number of messages queued until the viewer is ready. The package's default of 200 drops the
 * oldest, including the charts.
 */
const maxDeferredEvents = 20_000

/**
 * Sends runs and actors to Stately's inspector. Values are truncated and secrets hidden
 * (`ShownOptions`); charts are sent in full.
 *
 * @example
 * const inspector = statelyInspector({ url: "ws://127.0.0.1:8080" })
 * const runner = createRunner({ http, inspect: inspector.inspect })
 */
export function statelyInspector(options: StatelyInspectorOptions): StatelyInspector {
  const show = showing(options)
  const cutting = {
    // The package truncates at depth 10, which the states of nested agents exceed.
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
      // The package sends events when idle; flush the earlier ones before continuing.
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

/** Stops the package's automatic reconnect, which would otherwise continue after closing. */
async function leave(inspector: ReturnType<typeof createWebSocketInspector>): Promise<void> {
  // The socket is private in the package's types, but there is no other way to stop reconnecting.
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

/** Truncates an event immediately, because the package otherwise copies all of it later. */
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
