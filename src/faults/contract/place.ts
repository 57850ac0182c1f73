/** Where a fault is injected, and the call, request or answer that it belongs to. */
export interface FaultPlace {
  /** Index of the record, from 0. */
  readonly record?: number
  /** Idempotency key of the call without the run id, and the attempt: `flow/clerk#0@1`. */
  readonly call?: string
  readonly agent?: string
  readonly tool?: string
  readonly node?: string
  /** Name of the host function. */
  readonly service?: string
  /** Id of the answered request. */
  readonly request?: string
  /** Index of the answer in the file of answers, from 0. */
  readonly answer?: number
}

/** Returns the name of the function, tool, node, agent or request of a place. */
export const subjectOf = ({ service, tool, node, agent, request }: FaultPlace): string =>
  service ?? tool ?? node ?? agent ?? request ?? ""

/** Describes a place for messages, such as `record 3 (place_order, flow/clerk#0@1)`. */
export function placeText(place: FaultPlace): string {
  const { record, call, request, answer } = place
  const position =
    answer !== undefined
      ? `answer ${answer}`
      : record === undefined
        ? "an attempt"
        : `record ${record}`
  const details = [...new Set([subjectOf(place), call ?? request ?? ""])].filter(
    (text) => text !== "",
  )
  return details.length === 0 ? position : `${position} (${details.join(", ")})`
}
