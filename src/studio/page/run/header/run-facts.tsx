import { costText } from "../../../../serving/cost-text.js"
import type { CallUsage } from "../folds/agent-usage.js"
import { countText, durationText } from "../../parts/duration.js"

interface RunFactsProps {
  readonly startedAt: number
  /**
   * Time of the last event if the run has ended, otherwise the current time. In milliseconds since
   * the epoch.
   */
  readonly endedAt: number
  readonly usage: CallUsage
  /** Number of pending requests of the run. */
  readonly pending: number
}

const unknown = "unknown"

/**
 * Component that shows the duration and the cost of a run, and the number of its calls, tokens and
 * pending requests.
 */
export function RunFacts({ startedAt, endedAt, usage, pending }: RunFactsProps) {
  const { modelCalls, toolCalls, inputTokens, outputTokens, cost } = usage
  const facts = [
    ["Duration", durationText(Math.max(0, endedAt - startedAt))],
    ["Model calls", String(modelCalls)],
    ["Tool calls", String(toolCalls)],
    [
      "Tokens",
      inputTokens === null
        ? unknown
        : `${countText(inputTokens)} in, ${countText(outputTokens ?? 0)} out`,
    ],
    ["Cost", cost === null ? unknown : costText(cost)],
    ...(pending > 0 ? [["Waiting", String(pending)] as const] : []),
  ] as const
  return (
    <dl class="run-facts-list" aria-label="Summary of the run">
      {facts.map(([name, value]) => (
        <div
          key={name}
          class={name === "Waiting" ? "is-waiting" : value === unknown ? "is-unknown" : ""}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
