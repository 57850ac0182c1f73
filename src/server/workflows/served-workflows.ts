import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { findWorkflows } from "../../adapters/files/find-workflows.js"
import { openFolder } from "../../adapters/files/open-folder.js"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { compile } from "../../compiler/compile.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { HttpError } from "../../serving/http-error.js"
import type { CompileAs } from "../../serving/compile-as.js"

/** A workflow of the server that clients can start by its id. */
export interface ServedWorkflow {
  /**
   * Id of the workflow, derived from its path. For example, the id of `team/desk/workflow.json` is
   * `team.desk`.
   */
  readonly id: string
  /** Path of the workflow file, relative to the served folder. */
  readonly file: string
  readonly chart: AgentChart
  /** Description of the workflow or of its root agent. Null if neither has a description. */
  readonly description: string | null
  /**
   * Path of the `scenario.json` next to the workflow file. Null if the file does not exist, or if
   * runs are not scripted.
   */
  readonly scenario: string | null
}

/** A workflow file that the server does not offer because it has errors. */
export interface RefusedFile {
  readonly file: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Workflows in the folder of a server. They are compiled only at startup, so restart the server
 * after an edit.
 */
export interface ServedWorkflows {
  readonly all: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  /**
   * Returns the workflow with this id.
   *
   * @throws HttpError `workflow_unknown`.
   */
  get(id: string): ServedWorkflow
}

export interface ServedWorkflowsOptions {
  /**
   * Whether a `scenario.json` next to a workflow file replaces the models and tools of the
   * workflow.
   */
  readonly scripted: boolean
  readonly compileAs: CompileAs
}

/** Compiles the workflow file at a path, or all workflow files of a folder. */
export function servedWorkflows(
  path: string,
  { scripted, compileAs }: ServedWorkflowsOptions,
): ServedWorkflows {
  const whole = realpathSync(resolve(path))
  const isFolder = statSync(whole).isDirectory()
  const folder = isFolder ? whole : dirname(whole)
  const found = new Map<string, ServedWorkflow>()
  const refused: RefusedFile[] = []
  for (const file of isFolder ? findWorkflows(folder) : [relative(folder, whole)]) {
    const workflowPath = join(folder, file)
    const { chart, description, diagnostics } = compile(
      /\.ya?ml$/i.test(file) ? openFolder(workflowPath) : readFileSync(workflowPath, "utf8"),
      { ...compileAs, file, folder: openFolder(workflowPath) },
    )
    if (chart === null) {
      refused.push({
        file,
        diagnostics: diagnostics.filter(({ severity }) => severity === "error"),
      })
      continue
    }
    const short = shortId(file, folder)
    const id = found.has(short) ? dotted(file) : short
    const scenario = join(dirname(workflowPath), "scenario.json")
    found.set(id, {
      id,
      file,
      chart,
      description,
      scenario: scripted && existsSync(scenario) ? scenario : null,
    })
  }
  return {
    all: [...found.values()],
    refused,
    get(id) {
      const workflow = found.get(id)
      if (workflow === undefined)
        throw new HttpError(404, {
          code: "workflow_unknown",
          message: `the workflow "${id}" does not exist; GET /v1/workflows lists all workflows`,
        })
      return workflow
    },
  }
}

/** Returns whether a run was started from this workflow, even if the workflow was edited later. */
export const isRunOf = (
  { chart, file }: ServedWorkflow,
  run: { readonly chart: AgentChart; readonly origin: { readonly file: string | null } },
): boolean => run.chart.fingerprint === chart.fingerprint || run.origin.file === file

const dotted = (path: string): string => path.replace(/[^\w.-]+/g, ".")

function shortId(file: string, folder: string): string {
  const bare = file.replace(/\.(json|ya?ml)$/i, "").replace(/(^|\/)(workflow|root_agent)$/, "")
  return dotted(bare === "" ? basename(folder) : bare)
}
