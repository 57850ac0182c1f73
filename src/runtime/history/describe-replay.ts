import { describeKnownCall } from "./call-key.js"
import type { Replay } from "./replay.js"
import { abbreviateValue } from "./abbreviate-value.js"

/**
 * Returns a description of the differences between a recorded run and its replay, one difference
 * per line, in the order of the run. Line breaks in values are replaced with spaces.
 */
export function describeReplay({
  isSame,
  unanswered,
  unused,
  unaccepted,
  changed,
  before,
  after,
  state,
}: Replay): string {
  if (isSame) return `no difference: ${before.status}, and every recorded result is used`
  const [first] = unanswered
  const unusedLabel = first === undefined ? "no longer called" : "not called up to this position"
  return [
    ...(first === undefined
      ? []
      : [`the first call without a recorded result: ${describeKnownCall(first)}`]),
    ...unanswered
      .slice(1)
      .map((call) => `also without a recorded result: ${describeKnownCall(call)}`),
    ...unused.map((call) => `${unusedLabel}: ${describeKnownCall(call)}`),
    ...unaccepted.map(
      ({ type, id }) => `no longer awaited: ${type}${id === "" ? "" : ` for "${id}"`}`,
    ),
    ...changed.flatMap(({ call, lines }) => [
      `the request has changed: ${describeKnownCall(call)}`,
      ...lines.map((line) => `  ${line}`),
    ]),
    ...(before.status === after.status
      ? []
      : [
          `status: ${before.status} before, ${after.status} now${after.error === null ? "" : ` (${after.error.message})`}`,
        ]),
    ...(before.text === after.text
      ? []
      : [`text: ${abbreviateValue(before.text)} before, ${abbreviateValue(after.text)} now`]),
    ...state.map(
      (difference) =>
        `state "${difference.key}": ${abbreviateValue(difference.before)} before, ${abbreviateValue(difference.after)} now`,
    ),
  ]
    .map((line) => line.replace(/[\r\n]+/g, " "))
    .join("\n")
}
