import type { ComparedRunFacts } from "../../compare-api.js"
import { costText } from "../../../serving/cost-text.js"
import "./compare-facts.css"

/**
 * Component that shows the status, the duration, the calls, the tokens and the cost of two runs in
 * a table.
 */
export function CompareFacts({
  a,
  b,
}: {
  readonly a: ComparedRunFacts
  readonly b: ComparedRunFacts
}) {
  return (
    <div class="scrolls" tabIndex={0} role="group" aria-label="Facts of both runs">
      <table class="compare-facts">
        <thead>
          <tr>
            <td />
            <th scope="col">Run A</th>
            <th scope="col">Run B</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Status</th>
            <td>
              <span class={`dot is-${a.status}`} aria-hidden="true" /> {a.status}
            </td>
            <td>
              <span class={`dot is-${b.status}`} aria-hidden="true" /> {b.status}
            </td>
            <td />
          </tr>
          <Numbers name="Duration" a={a.durationMs} b={b.durationMs} format={durationText} />
          <Numbers name="Model calls" a={a.modelCalls} b={b.modelCalls} />
          <Numbers name="Tool calls" a={a.toolCalls} b={b.toolCalls} />
          <Numbers name="Tokens in" a={a.inputTokens} b={b.inputTokens} />
          <Numbers name="Tokens out" a={a.outputTokens} b={b.outputTokens} />
          {(a.cost !== null || b.cost !== null) && (
            <Numbers name="Cost" a={a.cost} b={b.cost} format={costText} />
          )}
        </tbody>
      </table>
    </div>
  )
}

interface NumbersProps {
  readonly name: string
  readonly a: number | null
  readonly b: number | null
  readonly format?: (value: number) => string
}

function Numbers({ name, a, b, format = (value) => value.toLocaleString("en-US") }: NumbersProps) {
  const change = a === null || b === null ? 0 : b - a
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{a === null ? "–" : format(a)}</td>
      <td>{b === null ? "–" : format(b)}</td>
      <td class="calm">
        {change === 0 ? "" : `${change > 0 ? "+" : "−"}${format(Math.abs(change))}`}
      </td>
    </tr>
  )
}

const durationText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`
