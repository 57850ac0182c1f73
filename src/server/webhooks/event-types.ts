import type { RunEvent } from "../../machines/contract/run-event.js"

/**
 * Types of run events that webhooks can report. TypeScript requires an entry for each event type.
 */
const known: Readonly<Record<Exclude<RunEvent["type"], "model.delta">, true>> = {
  "run.started": true,
  "run.finished": true,
  "agent.started": true,
  "agent.skipped": true,
  "agent.finished": true,
  "model.called": true,
  "model.responded": true,
  "model.fallback": true,
  "model.waiting": true,
  "tool.called": true,
  "tool.finished": true,
  "state.changed": true,
  "artifact.saved": true,
  "context.compacted": true,
  "guardrail.passed": true,
  "guardrail.tripped": true,
  handoff: true,
  "edge.followed": true,
  "node.started": true,
  "node.finished": true,
  "node.skipped": true,
  "forEach.expanded": true,
  "machine.entered": true,
  "loop.iterated": true,
  "loop.ended": true,
  "parallel.expanded": true,
  "parallel.settled": true,
  "parallel.joined": true,
  "retry.scheduled": true,
  "human.asked": true,
  "human.answered": true,
  "deadline.passed": true,
  "request.expired": true,
  "user.awaited": true,
  "user.said": true,
  "invocation.finished": true,
  "host.step": true,
  "host.emitted": true,
  "condition.failed": true,
  checkpoint: true,
  warning: true,
  "policy.violated": true,
  "policy.refused": true,
}

/**
 * Returns whether a text selects at least one event type. The text is a type such as
 * `run.finished`, a group such as `run.*`, or `*`.
 */
export const isEventSelector = (text: string): boolean =>
  Object.keys(known).some((type) => isSelected([text], { type }))

/** Returns whether the type of an event is in a list of event types and groups, such as `run.*`. */
export const isSelected = (
  events: readonly string[],
  { type }: { readonly type: string },
): boolean =>
  events.some((one) =>
    one === "*" ? true : one.endsWith(".*") ? type.startsWith(one.slice(0, -1)) : type === one,
  )
