/**
 * The position at which a fault is injected, for reports. Only the fields that apply to the fault
 * are set.
 */
export interface FaultPosition {
  /** Index of the journal record, from 0. */
  readonly record?: number
  /**
   * Idempotency key of the call without the run id, followed by `@` and the number of the attempt,
   * such as `flow/clerk#0@1`.
   */
  readonly call?: string
  readonly agent?: string
  readonly tool?: string
  readonly node?: string
  /** Name of the host function, if the fault affects a call of a host function. */
  readonly service?: string
  /** Id of the request that the person answered, if the fault affects an answer. */
  readonly request?: string
  /** Index of the affected answer in the file of scripted answers, from 0. */
  readonly answer?: number
}

/**
 * Returns the name of the function, tool, node, agent or request that a fault affects. Returns an
 * empty string if there is none.
 */
export const subjectOf = ({ service, tool, node, agent, request }: FaultPosition): string =>
  service ?? tool ?? node ?? agent ?? request ?? ""

/**
 * Returns the position of a fault as text for messages, such as `record 3 (place_order,
 * flow/clerk#0@1)`.
 */
export function positionText(position: FaultPosition): string {
  const { record, call, request, answer } = position
  const point =
    answer !== undefined
      ? `answer ${answer}`
      : record === undefined
        ? "an attempt"
        : `record ${record}`
  const details = [...new Set([subjectOf(position), call ?? request ?? ""])].filter(
    (text) => text !== "",
  )
  return details.length === 0 ? point : `${point} (${details.join(", ")})`
}
