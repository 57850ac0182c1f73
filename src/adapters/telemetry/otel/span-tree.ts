import type {
  Attributes,
  Context,
  HrTime,
  Link,
  Span,
  SpanContext,
  SpanKind as Kind,
  Tracer,
} from "@opentelemetry/api"
import { SpanKind, SpanStatusCode, trace } from "./api.js"
import type { SpanDescription } from "./span-descriptions.js"

/** A workflow, agent, model call or tool call that has not ended. It has an OpenTelemetry span. */
export interface Work {
  readonly description: SpanDescription
  readonly kind: Kind
  readonly parent: Work | null
  /** The agents, model calls and tool calls inside this work that have not ended. */
  readonly open: Set<Work>
  links: readonly Link[]
  /** Span of this work. null while past events of a resumed run are replayed. */
  span: Span | null
}

/** The failure that is recorded in a span. `message` is null if messages must not be recorded. */
export interface SpanFailure {
  readonly type: string
  readonly message: string | null
}

/**
 * A tree of OpenTelemetry spans. When a span is ended, all open spans inside it are ended too. All
 * times are in milliseconds since the epoch.
 */
export interface SpanTree {
  begin(
    description: SpanDescription,
    parent: Work | null,
    time: number,
    options?: { readonly kind?: Kind; readonly links?: readonly Link[] },
  ): Work
  /** Adds an event to the span of a workflow, agent or call. */
  addEvent(work: Work, name: string, attributes: Attributes, time: number): void
  setAttributes(work: Work, attributes: Attributes): void
  end(work: Work, time: number, failure?: SpanFailure | null): void
  /**
   * Starts to create spans. The work in `roots`, and all work inside it that has not ended,
   * receives spans that start at `time`.
   */
  startRecording(time: number, roots: Iterable<Work>): void
}

/**
 * Creates a tree of OpenTelemetry spans. If `isRecording` is false, spans are created only after a
 * call of `startRecording`.
 */
export function spanTree(tracer: Tracer, root: Context, isRecording: boolean): SpanTree {
  let recording = isRecording

  const startSpan = (work: Work, time: number): void => {
    const parent = work.parent?.span
    const context = parent == null ? root : trace.setSpan(root, parent)
    const { name, attributes } = work.description
    work.span = tracer.startSpan(
      name,
      { kind: work.kind, attributes, links: [...work.links], startTime: hrTime(time) },
      context,
    )
  }
  const end = (work: Work, time: number, failure: SpanFailure | null): void => {
    for (const inner of work.open) end(inner, time, null)
    work.parent?.open.delete(work)
    if (work.span === null) return
    if (failure !== null) {
      work.span.setAttribute("error.type", failure.type)
      work.span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(failure.message !== null && { message: failure.message }),
      })
    }
    work.span.end(hrTime(time))
  }
  const startRecording = (time: number, works: Iterable<Work>): void => {
    recording = true
    for (const work of works) {
      startSpan(work, time)
      startRecording(time, work.open)
    }
  }
  return {
    begin(description, parent, time, { kind = SpanKind.INTERNAL, links = [] } = {}) {
      const work: Work = { description, kind, parent, open: new Set(), links, span: null }
      parent?.open.add(work)
      if (recording) startSpan(work, time)
      return work
    },
    addEvent: (work, name, attributes, time) =>
      void work.span?.addEvent(name, attributes, hrTime(time)),
    setAttributes: (work, attributes) => void work.span?.setAttributes(attributes),
    end: (work, time, failure = null) => end(work, time, failure),
    startRecording,
  }
}

/**
 * Converts milliseconds since the epoch to the time format of OpenTelemetry. A plain number is not
 * used, because OpenTelemetry interprets a small number as the time since the start of the process.
 */
const hrTime = (time: number): HrTime => [Math.floor(time / 1000), Math.round((time % 1000) * 1e6)]

export const contextOf = (work: Work): SpanContext | null => work.span?.spanContext() ?? null
