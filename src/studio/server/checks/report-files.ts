import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import type { z } from "zod"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import type { FoundReport } from "../../reports/found-report.js"
import type { CertificateFile, EvaluationFile } from "../../reports/report-schemas.js"
import { certificateFile, evaluationFile } from "../../reports/report-schemas.js"
import type { WorkflowFolder } from "./workflow-folder.js"

/** The fault certificates and evaluation reports about one workflow, newest first. */
export interface FoundReports {
  readonly certificates: readonly FoundReport<CertificateFile>[]
  readonly evaluations: readonly FoundReport<EvaluationFile>[]
}

/**
 * Limits of the search for reports in one folder. They are the maximum number of JSON files, and
 * the maximum size of a file in bytes.
 */
const most = { files: 200, bytes: 8 * 1024 * 1024 }

const looksLikeCertificate = /"certificate"\s*:\s*1\b/
const looksLikeEvaluation = /"evalSetId"\s*:[^]*"exitCode"\s*:/

type Parsed = CertificateFile | EvaluationFile

/**
 * Finds the reports about workflows in the workspace. Parsed files are cached until they change.
 */
export class ReportFiles {
  readonly #workspace: WorkflowFolder
  readonly #read = new Map<string, { readonly version: string; readonly report: Parsed | null }>()

  constructor(workspace: WorkflowFolder) {
    this.#workspace = workspace
  }

  /**
   * Returns the reports about a chart. Searches in the folder of the workflow and in the root
   * folder of the workspace.
   */
  find(workflow: string, { id, fingerprint }: AgentChart): FoundReports {
    const folders = new Set([dirname(this.#workspace.resolve(workflow)), this.#workspace.folder])
    const found = [...folders].flatMap((folder) => this.#reportsIn(folder))
    const certificates = found.flatMap(({ content, ...file }) =>
      "certificate" in content &&
      (content.of.chart === id || content.of.fingerprint === fingerprint)
        ? [{ ...file, content }]
        : [],
    )
    const evaluations = found.flatMap(({ content, ...file }) =>
      !("certificate" in content) &&
      (agentsOf(content).includes(id) || fingerprintsOf(content).includes(fingerprint))
        ? [{ ...file, content }]
        : [],
    )
    return { certificates: newestFirst(certificates), evaluations: newestFirst(evaluations) }
  }

  #reportsIn(folder: string): readonly FoundReport<Parsed>[] {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.json$/i.test(entry.name))
      .slice(0, most.files)
      .flatMap(({ name }) => {
        const file = join(folder, name)
        const stats = statSync(file, { throwIfNoEntry: false })
        if (stats === undefined || stats.size > most.bytes) return []
        const content = this.#contentOf(file, `${stats.mtimeMs} ${stats.size}`)
        const path = relative(this.#workspace.folder, file).split(sep).join("/")
        return content === null ? [] : [{ path, changedAt: stats.mtimeMs, content }]
      })
  }

  #contentOf(file: string, version: string): Parsed | null {
    const known = this.#read.get(file)
    if (known?.version === version) return known.report
    const report = parseReport(readFileSync(file, "utf8"))
    this.#read.set(file, { version, report })
    return report
  }
}

/**
 * Parses the text of a fault certificate or an evaluation report. Returns null for any other text.
 */
function parseReport(text: string): Parsed | null {
  const schema: z.ZodType<Parsed> | null = looksLikeCertificate.test(text)
    ? certificateFile
    : looksLikeEvaluation.test(text)
      ? evaluationFile
      : null
  if (schema === null) return null
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // The file is not JSON, for example because another program is writing it.
    return null
  }
}

const agentsOf = (report: EvaluationFile): readonly string[] =>
  "agents" in report ? [report.agents.a, report.agents.b] : [report.agent]

const fingerprintsOf = (report: EvaluationFile): readonly string[] =>
  "fingerprints" in report ? [report.fingerprints.a, report.fingerprints.b] : [report.fingerprint]

const newestFirst = <Report extends { readonly changedAt: number }>(
  reports: readonly Report[],
): readonly Report[] => [...reports].sort((one, other) => other.changedAt - one.changedAt)
