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
import type { Described } from "./conventions.js"

/** Something of a run that has a beginning and an end. While the past is heard it has no span. */
export interface Work {
  readonly described: Described
  readonly kind: Kind
  readonly parent: Work | null
  readonly open: Set<Work>
  links: readonly Link[]
  span: Span | null
}

/** Why a piece of work failed. `message` is only told where content is. */
export interface Failure {
  readonly type: string
  readonly message: string | null
}

/** Work in a tree. What ends takes what is still open beneath it along, so that no span stays open. */
export interface SpanTree {
  begin(
    described: Described,
    parent: Work | null,
    at: number,
    options?: { readonly kind?: Kind; readonly links?: readonly Link[] },
  ): Work
  note(work: Work, name: string, attributes: Attributes, at: number): void
  describe(work: Work, attributes: Attributes): void
  end(work: Work, at: number, failure?: Failure | null): void
  /** From here on spans are made: for what is open already they begin now. */
  wake(at: number, roots: Iterable<Work>): void
}

export function spanTree(tracer: Tracer, around: Context, isAwake: boolean): SpanTree {
  let awake = isAwake

  const startSpan = (work: Work, at: number): void => {
    const parent = work.parent?.span
    const context = parent == null ? around : trace.setSpan(around, parent)
    const { name, attributes } = work.described
    work.span = tracer.startSpan(
      name,
      { kind: work.kind, attributes, links: [...work.links], startTime: timeOf(at) },
      context,
    )
  }
  const end = (work: Work, at: number, failure: Failure | null): void => {
    for (const inner of work.open) end(inner, at, null)
    work.parent?.open.delete(work)
    if (work.span === null) return
    if (failure !== null) {
      work.span.setAttribute("error.type", failure.type)
      work.span.setStatus({
        code: SpanStatusCode.ERROR,
        ...(failure.message === null ? {} : { message: failure.message }),
      })
    }
    work.span.end(timeOf(at))
  }
  const wake = (at: number, works: Iterable<Work>): void => {
    awake = true
    for (const work of works) {
      startSpan(work, at)
      wake(at, work.open)
    }
  }
  return {
    begin(described, parent, at, { kind = SpanKind.INTERNAL, links = [] } = {}) {
      const work: Work = { described, kind, parent, open: new Set(), links, span: null }
      parent?.open.add(work)
      if (awake) startSpan(work, at)
      return work
    },
    note: (work, name, attributes, at) => void work.span?.addEvent(name, attributes, timeOf(at)),
    describe: (work, attributes) => void work.span?.setAttributes(attributes),
    end: (work, at, failure = null) => end(work, at, failure),
    wake,
  }
}

/** As a pair: a plain number below the time at which the process began would be taken for one since then. */
const timeOf = (at: number): HrTime => [Math.floor(at / 1000), Math.round((at % 1000) * 1e6)]

export const contextOf = (work: Work): SpanContext | null => work.span?.spanContext() ?? null
