import type { CaseResultFile, EvaluationFile } from "../../checks-api.js"
import type { CheckCount } from "./check-row.js"
import "./evaluation-view.css"

const kinds = { PASSED: "good", FAILED: "bad", NOT_EVALUATED: "open" } as const
const words = { PASSED: "passed", FAILED: "failed", NOT_EVALUATED: "not evaluated" } as const

/**
 * Returns the counts in the summary of an evaluation or of a comparison of evaluations, for example
 * `2 failed`.
 */
export function evaluationSummary(report: EvaluationFile): readonly CheckCount[] {
  if (report.errors.length > 0) return [{ kind: "bad", text: "invalid" }]
  const counts: readonly (readonly [CheckCount["kind"], number, string])[] =
    "agents" in report
      ? [
          ["bad", report.summary.regressed, "worse"],
          ["good", report.summary.improved, "better"],
          ["quiet", report.summary.unchanged, "unchanged"],
        ]
      : [
          ["bad", report.summary.failed, "failed"],
          ["open", report.summary.notEvaluated, "not evaluated"],
          ["good", report.summary.passed, "passed"],
        ]
  return counts.flatMap(([kind, count, word]) =>
    count === 0 ? [] : [{ kind, text: `${count} ${word}` }],
  )
}

/**
 * Component that shows a report of the command `eval`, with the scores of each case and the number
 * of calls.
 */
export function EvaluationView({
  report,
  changedAt,
}: {
  readonly report: EvaluationFile
  readonly changedAt: number
}) {
  const { calls } = report
  return (
    <div class="evaluation">
      {[...report.errors, ...report.warnings].map(({ code, message, file }) => (
        <p key={`${code} ${message}`} class="policy-warning">
          {file}: {message}
        </p>
      ))}
      {"agents" in report
        ? report.sets.map((set) => (
            <section key={set.evalSetId} aria-label={set.evalSetId}>
              <h3>{set.evalSetId}</h3>
              <ul class="cases">
                {Object.entries(set.cases).map(([id, compared]) => (
                  <li key={id} class="case">
                    <span class="case-id">{id}</span>
                    <span>
                      <Status status={compared.a.status} /> → <Status status={compared.b.status} />
                    </span>
                    <Deltas criteria={compared.criteria} />
                  </li>
                ))}
              </ul>
            </section>
          ))
        : report.sets.map((set) => (
            <section key={set.evalSetId} aria-label={set.evalSetId}>
              <h3>{set.evalSetId}</h3>
              <ul class="cases">
                {Object.entries(set.cases).map(([id, result]) => (
                  <CaseRow key={id} id={id} result={result} />
                ))}
              </ul>
            </section>
          ))}
      <p class="calm">
        {"agents" in report && `${report.agents.a} compared with ${report.agents.b}. `}
        {report.repeat > 1 && `Each case was repeated ${report.repeat} times. `}
        {calls.models} model calls, {calls.tools} tool calls, {calls.judge} judge calls,{" "}
        {calls.tokens.toLocaleString("en-US")} tokens
        {calls.cost !== null && `, $${calls.cost.toFixed(4)}`}.{" "}
        {new Date(changedAt).toLocaleString()}.
      </p>
    </div>
  )
}

function CaseRow({ id, result }: { readonly id: string; readonly result: CaseResultFile }) {
  const details = Object.entries(result.criteria).flatMap(([name, { details: lines = [] }]) =>
    lines.map((line) => `${name}: ${line}`),
  )
  return (
    <li class="case">
      <span class="case-id">{id}</span>
      <span>
        <Status status={result.status} />
        {result.passRate !== undefined && ` ${result.passRate.passed} of ${result.passRate.of}`}
      </span>
      <span class="case-scores">
        {Object.entries(result.criteria).map(([name, { score, threshold, status }]) => (
          <span key={name} class={status === "FAILED" ? "is-bad" : ""}>
            {name} {scoreText(score)} <span class="calm">of {scoreText(threshold)}</span>
          </span>
        ))}
      </span>
      {(details.length > 0 || result.error !== undefined) && (
        <ul class="case-details">
          {result.error !== undefined && (
            <li class="is-bad">
              {result.error} {result.errorMessage}
            </li>
          )}
          {details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </li>
  )
}

const Status = ({ status }: { readonly status: keyof typeof kinds }) => (
  <span class={`check-count is-${kinds[status]}`}>{words[status]}</span>
)

const Deltas = ({
  criteria,
}: {
  readonly criteria: Readonly<Record<string, { readonly delta: number | null }>>
}) => (
  <span class="case-scores">
    {Object.entries(criteria).map(([name, { delta }]) => (
      <span key={name}>
        {name} {delta === null ? "–" : `${delta > 0 ? "+" : ""}${scoreText(delta)}`}
      </span>
    ))}
  </span>
)

const scoreText = (score: number | null): string =>
  score === null ? "–" : String(Math.round(score * 1000) / 1000)
