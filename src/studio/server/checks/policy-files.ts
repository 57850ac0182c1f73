import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { readPolicies } from "../../../compiler/index.js"
import type { AgentChart } from "../../../machines/contract/agent-chart.js"
import { HttpError } from "../../../serving/http-error.js"
import type { RunHub } from "../../../serving/run-hub.js"
import type { PolicyFile, PolicyVerdicts } from "../../checks-api.js"
import type { DecidedPolicies, PolicyChecker } from "./policy-checker.js"
import type { WorkflowFolder } from "./workflow-folder.js"

const isPolicyFile = /\.polic(y|ies)\.(ya?ml|json)$/i

/** Maximum size of a policy file in bytes. */
const maxBytes = 1024 * 1024

/** Maximum number of cached check results. */
const maxKept = 20

/**
 * Lists the policy files of the workspace, checks their policies, and starts runs that execute
 * counterexamples.
 */
export class PolicyFiles {
  readonly #workspace: WorkflowFolder
  readonly #checker: PolicyChecker
  /**
   * Cached check results, least recently used first. The key is a hash of the workflow, the chart,
   * the path and the policy text.
   */
  readonly #decided = new Map<string, Promise<DecidedPolicies>>()

  constructor(workspace: WorkflowFolder, checker: PolicyChecker) {
    this.#workspace = workspace
    this.#checker = checker
  }

  /**
   * Returns the policy files in the folder of a workflow, and the policy files that apply to all
   * runs.
   */
  list(workflow: string): readonly PolicyFile[] {
    const folder = dirname(this.#workspace.resolve(workflow))
    const beside = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isPolicyFile.test(entry.name))
      .map(({ name }) => ({
        path: relative(this.#workspace.folder, join(folder, name)).split(sep).join("/"),
        use: "checked" as const,
      }))
    const selected = this.#checker.selected.map(({ path, isEnforced }): PolicyFile => ({
      path,
      use: isEnforced ? "enforced" : "reported",
    }))
    return [
      ...selected,
      ...beside.filter(({ path }) => !selected.some((one) => this.#isSame(one.path, path))),
    ].sort((one, other) => (one.path < other.path ? -1 : 1))
  }

  /**
   * Checks the policies of a file against a chart. The file must be in the result of {@link list}
   * for the workflow.
   */
  async decide(workflow: string, chart: AgentChart, path: string): Promise<PolicyVerdicts> {
    const text = this.#read(workflow, path)
    const { policies, diagnostics } = readPolicies(text, { file: path })
    if (policies === null)
      return { path, problems: diagnostics, results: [], warnings: [], fingerprint: null }
    const { results, warnings } = await this.#decide(workflow, chart, path, text)
    const lines = text.split("\n")
    return {
      path,
      problems: [],
      warnings,
      fingerprint: chart.fingerprint,
      results: results.map(({ counterexample, ...result }, index) => ({
        ...result,
        description: policies.policies[index]?.description ?? null,
        source: sourceOf(lines, result.line, results[index + 1]?.line),
        counterexample:
          counterexample === null
            ? null
            : {
                records: counterexample.records,
                path: counterexample.path,
                seen: counterexample.seen,
              },
      })),
    }
  }

  /**
   * Starts a run that executes the counterexample of a violated policy. `line` is the line of the
   * policy in its file. Returns the id of the run.
   */
  async play(
    workflow: string,
    chart: AgentChart,
    { path, line }: { readonly path: string; readonly line: number },
    runs: RunHub,
  ): Promise<string> {
    const text = this.#read(workflow, path)
    const { results } = await this.#decide(workflow, chart, path, text)
    const result = results.find((one) => one.line === line)
    if (result?.counterexample == null)
      throw new HttpError(409, {
        code: "input_refused",
        message: `No policy is violated at line ${line} of ${path}. Check the policies again.`,
      })
    const { input, scenario, services, giveAnswers } = await result.counterexample.open()
    const about = {
      counterexample: { policy: result.name, file: path, line, ...result.counterexample.seen },
    }
    const runId = await runs.start(
      chart,
      { file: workflow, scenario, module: null },
      { ...input, about },
      async () => services,
    )
    const live = runs.findLive(runId)
    // If the run has already ended, `live` is null. The answers are not awaited, because they are
    // sent while the run continues.
    if (live !== null) void giveAnswers(live.run)
    return runId
  }

  #decide(
    workflow: string,
    chart: AgentChart,
    path: string,
    text: string,
  ): Promise<DecidedPolicies> {
    const key = createHash("sha256")
      .update(JSON.stringify([workflow, chart.fingerprint, path, text]))
      .digest("hex")
    const known = this.#decided.get(key)
    this.#decided.delete(key)
    const { policies } = readPolicies(text, { file: path })
    if (policies === null)
      throw new HttpError(409, {
        code: "input_refused",
        message: `${path} is not a valid policy file. Correct it, and check the policies again.`,
      })
    const decided = known ?? this.#checker.decide(chart, policies, workflow)
    this.#decided.set(key, decided)
    // Errors are not cached, so the next request tries again.
    decided.catch(() => this.#decided.delete(key))
    const [oldest] = this.#decided.keys()
    if (this.#decided.size > maxKept && oldest !== undefined) this.#decided.delete(oldest)
    return decided
  }

  #read(workflow: string, path: string): string {
    const listed = this.list(workflow).find((one) => one.path === path)
    const file =
      listed === undefined
        ? null
        : listed.use === "checked"
          ? join(this.#workspace.folder, path)
          : path
    const size = file === null ? null : statSync(file, { throwIfNoEntry: false })?.size
    if (file === null || size === undefined || size === null)
      throw new HttpError(404, {
        code: "missing_file",
        message: `the policy file "${path}" does not exist in the folder of ${workflow}`,
      })
    if (size > maxBytes)
      throw new HttpError(413, {
        code: "config_too_large",
        message: `"${path}" is larger than ${maxBytes} bytes, the limit for policy files`,
      })
    return readFileSync(file, "utf8")
  }

  /**
   * Returns whether the path `selected`, which the user has entered, refers to the workspace file
   * `path`.
   */
  #isSame(selected: string, path: string): boolean {
    const one = statSync(selected, { throwIfNoEntry: false })
    const other = statSync(join(this.#workspace.folder, path), { throwIfNoEntry: false })
    return (
      one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev
    )
  }
}

/**
 * Returns the source text of the policy that begins at the given line. It ends before the line
 * `next` of the next policy. Lines that belong to other fields of the file are removed.
 */
function sourceOf(lines: readonly string[], line: number, next: number | undefined): string {
  const indent = indentOf(lines[line - 1] ?? "")
  const rest = lines.slice(line - 1, next === undefined ? undefined : next - 1)
  const end = rest.findIndex(
    (text, index) => index > 0 && text.trim() !== "" && indentOf(text) < indent,
  )
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((text) => text.slice(Math.min(indent, indentOf(text))))
    .join("\n")
    .trimEnd()
}

const indentOf = (text: string): number => text.length - text.trimStart().length
