import type { RunEvent } from "../../../api.js"

type EventType = RunEvent["type"]

/**
 * Groups of event types, in the order in which the page shows them. The user can show or hide each
 * group.
 */
const eventGroups = [
  {
    name: "agents",
    includes: (type: EventType) =>
      /^(agent|loop|parallel)\./.test(type) ||
      type === "handoff" ||
      type === "checkpoint" ||
      type === "edge.followed",
  },
  {
    name: "models",
    includes: (type: EventType) => type.startsWith("model.") || type === "retry.scheduled",
  },
  { name: "tools", includes: (type: EventType) => /^(tool|host)\./.test(type) },
  {
    name: "state",
    includes: (type: EventType) => type === "state.changed" || type === "artifact.saved",
  },
  {
    name: "people",
    includes: (type: EventType) =>
      /^(human|user)\./.test(type) || type === "request.expired" || type === "invocation.finished",
  },
  // All other events belong to the run.
  { name: "run", includes: () => true },
] as const

export type EventGroup = (typeof eventGroups)[number]["name"]

/**
 * The names of the groups of event types, such as `models`, in the order in which the page shows
 * them.
 */
export const eventGroupNames: readonly EventGroup[] = eventGroups.map(({ name }) => name)

/**
 * Returns the name of the group to which an event type belongs, for example `models` for
 * `model.called`.
 */
export const groupOf = (type: EventType): EventGroup =>
  eventGroups.find(({ includes }) => includes(type))?.name ?? "run"
