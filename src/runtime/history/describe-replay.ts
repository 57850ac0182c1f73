import { inWords } from "./call-key.js"
import type { Replay } from "./replay.js"
import { shown } from "./abbreviate-value.js"

/**
 * What would be different, for people: one thing a line, the first one first. Names and messages
 * cannot begin a line.
 */
export function describeReplay({
  isSame,
  unanswered,
  unused,
  unheard,
  changed,
  before,
  after,
  state,
}: Replay): string {
  if (isSame) return `no difference: ${before.status}, and every recorded result is used`
  const [first] = unanswered
  const gone = first === undefined ? "no longer called" : "not called up to this position"
  return [
    ...(first === undefined ? [] : [`the first call without a recorded result: ${inWords(first)}`]),
    ...unanswered.slice(1).map((call) => `also without a recorded result: ${inWords(call)}`),
    ...unused.map((call) => `${gone}: ${inWords(call)}`),
    ...unheard.map(
      ({ type, id }) => `no longer awaited: ${type}${id === "" ? "" : ` for "${id}"`}`,
    ),
    ...changed.flatMap(({ call, lines }) => [
      `the request has changed: ${inWords(call)}`,
      ...lines.map((line) => `  ${line}`),
    ]),
    ...(before.status === after.status
      ? []
      : [
          `status: ${before.status} before, ${after.status} now${after.error === null ? "" : ` (${after.error.message})`}`,
        ]),
    ...(before.text === after.text
      ? []
      : [`text: ${shown(before.text)} before, ${shown(after.text)} now`]),
    ...state.map(
      (difference) =>
        `state "${difference.key}": ${shown(difference.before)} before, ${shown(difference.after)} now`,
    ),
  ]
    .map((line) => line.replace(/[\r\n]+/g, " "))
    .join("\n")
}
