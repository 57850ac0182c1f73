import type { CertificateFile } from "../../checks-api.js"
import type { CheckCount } from "./check-row.js"
import "./certificate-view.css"

const plural = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`

const sum = (certificate: CertificateFile, field: "injected" | "failed" | "skipped"): number =>
  Object.values(certificate.kinds).reduce((total, kind) => total + kind[field], 0)

/**
 * Returns the summary of a fault certificate (the report of the command `faults`), for example
 * `12 of 12 single faults survived`.
 */
export function certificateSummary(certificate: CertificateFile): readonly CheckCount[] {
  const injected = sum(certificate, "injected")
  const failed = sum(certificate, "failed")
  const survived = `${(injected - failed).toLocaleString("en-US")} of ${plural(injected, "single fault")} survived`
  const { findings } = certificate
  return [
    { kind: certificate.ok && failed === 0 ? "good" : "bad", text: survived },
    ...(findings.length === 0
      ? []
      : [{ kind: "bad" as const, text: plural(findings.length, "finding") }]),
  ]
}

interface CertificateViewProps {
  readonly certificate: CertificateFile
  readonly changedAt: number
  readonly isCurrent: boolean
}

/**
 * Component that shows a fault certificate, which is the report of the command `faults`. It lists
 * the injected faults by kind, the findings and the assumptions.
 */
export function CertificateView({ certificate, changedAt, isCurrent }: CertificateViewProps) {
  const { baseline, kinds, notInjected, runs, assumes, warnings, policies, findings } = certificate
  const skipped = sum(certificate, "skipped")
  return (
    <div class="certificate">
      {!isCurrent && (
        <p class="policy-warning">
          The workflow has changed since this certificate was made. Repeat the command faults.
        </p>
      )}
      <p>
        {plural(runs, "run")}, with at most one fault each. The run without faults:{" "}
        {baseline.status}, {plural(baseline.records, "record")}, {plural(baseline.calls, "call")},{" "}
        {plural(baseline.answers, "answer")}.
        {skipped > 0 && ` ${plural(skipped, "place")} left out.`}
        {policies.length > 0 && ` Checked policies: ${policies.join(", ")}.`}
      </p>
      {findings.map((finding, index) => (
        <article key={index} class="finding">
          <h3>
            {finding.invariant} <span class="calm">{finding.kind}</span>
          </h3>
          <p>{finding.message}</p>
          <p>
            <span class="policy-label">Where</span> {positionText(finding.at)}
            {finding.runs > 1 && `, in ${plural(finding.runs, "run")}`}
          </p>
          <p>
            <span class="policy-label">Fix</span> {finding.fix}
          </p>
          <pre tabIndex={0}>{finding.command}</pre>
        </article>
      ))}
      <div class="scrolls" tabIndex={0} role="group" aria-label="Faults by kind">
        <table>
          <thead>
            <tr>
              <th scope="col">Fault</th>
              <th scope="col">Runs</th>
              <th scope="col" title="The run has the same result as without the fault.">
                Same result
              </th>
              <th scope="col" title="The run ends in a way that the workflow declares.">
                Declared end
              </th>
              <th scope="col">Failed</th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(kinds).map(([kind, counts]) => (
              <tr key={kind}>
                <th scope="row">{kind}</th>
                <td>{counts.injected}</td>
                <Count value={counts.equal} />
                <Count value={counts.declared} />
                <Count value={counts.failed} isBad />
              </tr>
            ))}
            {notInjected.map(({ kind, why }) => (
              <tr key={kind} class="calm">
                <th scope="row">{kind}</th>
                <td class="why" colSpan={4}>
                  {why}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {assumes.length > 0 && (
        <p>
          <span class="policy-label">Assumes</span> These services recognize a repeated idempotency
          key:{" "}
          {assumes
            .map(({ service, kind, runs: times }) => `${kind} ${service} (${times})`)
            .join(", ")}
          .
        </p>
      )}
      {warnings.map(({ message }) => (
        <p key={message} class="policy-warning">
          {message}
        </p>
      ))}
      <p class="calm">
        Made by version {certificate.of.program}, {new Date(changedAt).toLocaleString()}.
      </p>
    </div>
  )
}

const Count = ({ value, isBad = false }: { readonly value: number; readonly isBad?: boolean }) => (
  <td class={value === 0 ? "is-zero" : isBad ? "is-bad" : ""}>{value === 0 ? "·" : value}</td>
)

/**
 * Describes the location of an injected fault as text, for example
 * `call flow/clerk#0@1, agent clerk`.
 */
const positionText = (position: Readonly<Record<string, unknown>>): string =>
  Object.entries(position)
    .map(([field, value]) => `${field} ${String(value)}`)
    .join(", ")
