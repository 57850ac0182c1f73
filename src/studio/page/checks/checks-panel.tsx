import { useEffect, useState } from "preact/hooks"
import type { PolicyVerdicts, WorkflowReports } from "../../checks-api.js"
import { fetchJson, messageOf } from "../client/fetch-json.js"
import { CertificateView, certificateSummary } from "./certificate-view.js"
import { CheckRow } from "./check-row.js"
import "./checks-panel.css"
import { EvaluationView, evaluationSummary } from "./evaluation-view.js"
import { PolicyList, policySummary } from "./policy-list.js"

interface ChecksPanelProps {
  readonly path: string
  readonly text: string
  /**
   * Whether the text compiles without errors. If false, the results for the last valid text remain
   * visible.
   */
  readonly isValid: boolean
}

/** Delay in milliseconds between the last change of the text and the check of its policies. */
const decideDelay = 600

/**
 * Component that shows the policies of a workflow with their verdicts, the fault certificates and
 * the evaluations.
 */
export function ChecksPanel({ path, text, isValid }: ChecksPanelProps) {
  const [reports, setReports] = useState<WorkflowReports | null>(null)
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, PolicyVerdicts>>(new Map())
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    if (!isValid) return
    const controller = new AbortController()
    const { signal } = controller
    const load = async (): Promise<void> => {
      try {
        const found = await fetchJson<WorkflowReports>("/reports", {
          method: "POST",
          body: { file: path, text },
          signal,
        })
        setReports(found)
        const decided = new Map<string, PolicyVerdicts>()
        // The files are checked one after another, so that the first verdicts are shown early.
        for (const policies of found.policies) {
          const result = await fetchJson<PolicyVerdicts>("/policies", {
            method: "POST",
            body: { file: path, text, policies: policies.path },
            signal,
          })
          decided.set(policies.path, result)
          setVerdicts(new Map(decided))
        }
        setError(null)
      } catch (cause) {
        if (!signal.aborted) setError(messageOf(cause))
      }
    }
    const timer = setTimeout(() => void load(), reports === null ? 0 : decideDelay)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [path, text, isValid])

  if (error !== null)
    return (
      <p role="alert" class="trouble">
        {error}
      </p>
    )
  if (reports === null) return null
  const { policies, certificates, evaluations, fingerprint } = reports
  if (policies.length + certificates.length + evaluations.length === 0) return null
  return (
    <section class="checks" aria-label="Policies, faults and evaluations">
      {policies.map((file) => (
        <CheckRow
          key={file.path}
          name="Policies"
          path={file.path}
          summary={policySummary(verdicts.get(file.path) ?? null)}
          note={
            { enforced: "enforced in runs", reported: "reported in runs", checked: null }[file.use]
          }
        >
          <PolicyList verdicts={verdicts.get(file.path) ?? null} workflow={{ file: path, text }} />
        </CheckRow>
      ))}
      {certificates.map(({ path: file, content, changedAt }) => (
        <CheckRow
          key={file}
          name="Single faults"
          path={file}
          summary={certificateSummary(content)}
          note={content.of.fingerprint === fingerprint ? null : "of another version"}
        >
          <CertificateView
            certificate={content}
            changedAt={changedAt}
            isCurrent={content.of.fingerprint === fingerprint}
          />
        </CheckRow>
      ))}
      {evaluations.map(({ path: file, content, changedAt }) => (
        <CheckRow
          key={file}
          name={"agents" in content ? "Comparison" : "Evaluation"}
          path={file}
          summary={evaluationSummary(content)}
          note={isOf(content, fingerprint) ? null : "of another version"}
        >
          <EvaluationView report={content} changedAt={changedAt} />
        </CheckRow>
      ))}
    </section>
  )
}

const isOf = (
  report: WorkflowReports["evaluations"][number]["content"],
  fingerprint: string,
): boolean =>
  "fingerprints" in report
    ? report.fingerprints.a === fingerprint || report.fingerprints.b === fingerprint
    : report.fingerprint === fingerprint
