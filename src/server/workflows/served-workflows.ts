import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { findWorkflows } from "../../adapters/files/find-workflows.js"
import { openFolder } from "../../adapters/files/open-folder.js"
import type { Diagnostic } from "../../compiler/diagnostics/diagnostic.js"
import { compile } from "../../compiler/compile.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { HttpError } from "../../serving/http-error.js"
import type { CompileAs } from "../../serving/compile-as.js"

/** A workflow that can be started by its id. */
export interface ServedWorkflow {
  /** Its path without what every workflow has: `team/desk/workflow.json` is `team.desk`. */
  readonly id: string
  readonly file: string
  readonly chart: AgentChart
  /** What it says of itself. */
  readonly description: string | null
  /** The file with scripted answers beside it; null where there is none, or none are wanted. */
  readonly scenario: string | null
}

/** A file that looks like a workflow and has errors. */
export interface RefusedFile {
  readonly file: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The workflows of a folder, compiled once: what is served does not change under those who use it. */
export interface ServedWorkflows {
  readonly all: readonly ServedWorkflow[]
  readonly refused: readonly RefusedFile[]
  /** @throws HttpError `workflow_unknown`. */
  get(id: string): ServedWorkflow
}

export interface ServeAs {
  /** Let a `scenario.json` beside a workflow answer for its models and tools. */
  readonly scripted: boolean
  readonly compileAs: CompileAs
}

export function servedWorkflows(place: string, { scripted, compileAs }: ServeAs): ServedWorkflows {
  const whole = realpathSync(resolve(place))
  const isFolder = statSync(whole).isDirectory()
  const folder = isFolder ? whole : dirname(whole)
  const found = new Map<string, ServedWorkflow>()
  const refused: RefusedFile[] = []
  for (const file of isFolder ? findWorkflows(folder) : [relative(folder, whole)]) {
    const path = join(folder, file)
    const { chart, description, diagnostics } = compile(
      /\.ya?ml$/i.test(file) ? openFolder(path) : readFileSync(path, "utf8"),
      { ...compileAs, file },
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
    const beside = join(dirname(path), "scenario.json")
    found.set(id, {
      id,
      file,
      chart,
      description,
      scenario: scripted && existsSync(beside) ? beside : null,
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

/** Whether a run was started from a workflow, perhaps before it was edited. */
export const isOf = (
  { chart, file }: ServedWorkflow,
  run: { readonly chart: AgentChart; readonly origin: { readonly file: string | null } },
): boolean => run.chart.fingerprint === chart.fingerprint || run.origin.file === file

const dotted = (path: string): string => path.replace(/[^\w.-]+/g, ".")

function shortId(file: string, folder: string): string {
  const bare = file.replace(/\.(json|ya?ml)$/i, "").replace(/(^|\/)(workflow|root_agent)$/, "")
  return dotted(bare === "" ? basename(folder) : bare)
}
