import { openFolder } from "../../adapters/files/open-folder.js"
import { posix } from "node:path"
import type { Compiled } from "../../compiler/compile.js"
import { compile } from "../../compiler/compile.js"
import type { ConfigFolder } from "../../compiler/1-parse/files/config-folder.js"
import type { DrawChart } from "../../drawing/svg/cached-drawings.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { CompiledText, MessageSchema } from "../api.js"
import { HttpError } from "../../serving/http-error.js"
import { overridableAgents } from "./runs/override-agents.js"
import type { StudioServices } from "./studio-services.js"
import { agentRanges } from "./agent-ranges.js"
import type { Workspace } from "./workspace.js"

/** The workspace and the services that are needed to compile a workflow text. */
export interface CompileParts {
  readonly workspace: Workspace
  readonly services: StudioServices
}

/**
 * Compiles a text as if it were the content of the file `path`. Other files are read from disk. If
 * the text is already a compiled chart, returns this chart.
 */
export async function chartOfText(
  path: string,
  text: string,
  { workspace, services }: CompileParts,
): Promise<Compiled> {
  const chart = compiledChart(text)
  if (chart !== null) return { chart, diagnostics: [], description: null, needs: [] }
  const folder = folderOfText(path, text, workspace)
  return compile(/\.ya?ml$/i.test(path) ? folder : text, {
    ...(await services.compileOptionsOf(path)),
    file: path,
    folder,
  })
}

/**
 * Returns the folder of the file `path`, as the compiler reads it. The compiler receives `text` as
 * the content of this file. All other files are read from disk.
 */
export const folderOfText = (path: string, text: string, workspace: Workspace): ConfigFolder =>
  withText(path, { file: path, text }, workspace)

/**
 * Returns the folder of the workflow `path`, as the compiler reads it. The compiler receives
 * `edited.text` as the content of the file `edited.file`. All other files are read from disk.
 */
function withText(
  path: string,
  edited: { readonly file: string; readonly text: string },
  workspace: Workspace,
): ConfigFolder {
  const onDisk = openFolder(workspace.resolve(path))
  const editedName = posix.relative(posix.dirname(path), edited.file)
  return {
    ...onDisk,
    open: (file) => (file === editedName ? { text: edited.text } : onDisk.open(file)),
  }
}

/**
 * Returns the chart if a text is the JSON of a compiled chart. Returns null if the text is a
 * config.
 */
export function compiledChart(text: string): AgentChart | null {
  if (!/"formatVersion"\s*:/.test(text)) return null
  try {
    // The runtime validates the chart when it loads it.
    return JSON.parse(text) as AgentChart
  } catch {
    return null
  }
}

/**
 * Compiles a text and returns its diagnostics, its drawing and the services that it requires. If
 * `scripted` is true, the scenario file in the same folder provides these services.
 */
export async function checkText(
  { file: path, text, scripted }: { file: string; text: string; scripted: boolean },
  { workspace, services, draw }: CompileParts & { readonly draw: DrawChart },
): Promise<CompiledText> {
  const { chart, diagnostics, needs } = await chartOfText(path, text, { workspace, services })
  const files = {
    scenario: scripted ? workspace.scenarioOf(path) : null,
    module: workspace.allowedModuleOf(path),
  }
  return {
    diagnostics: diagnostics.filter(({ severity }) => severity !== "hint"),
    ranges: agentRanges(path, text, folderOfText(path, text, workspace)),
    svg: chart === null ? null : await draw(chart),
    chart: chart?.id ?? null,
    inputSchema: chart === null ? null : inputSchemaOf(chart),
    agents: chart === null ? [] : overridableAgents(chart),
    prompt:
      chart === null || chart.input.prompt === null ? null : textOfContent(chart.input.prompt),
    needs: needs.map(({ kind, name }) => `${kind} ${name}`),
    missing: chart === null ? [] : await services.missing(chart, files),
  }
}

/**
 * Returns the JSON Schema of the first user message, which is the input schema of the root agent.
 * Returns null if the root agent has no input schema.
 */
function inputSchemaOf({ agents, root }: AgentChart): MessageSchema | null {
  const agent = agents[root]
  return agent?.type === "LlmAgent" ? (agent.adk?.inputSchema ?? null) : null
}

/**
 * Returns the chart to run for an edited file. This is the chart of the outermost workflow that
 * includes the file, or of the file itself. Throws an HTTP error (422) with the diagnostics if the
 * text has errors.
 */
export async function chartToRun(
  path: string,
  text: string,
  parts: CompileParts,
): Promise<AgentChart> {
  const { workspace, services } = parts
  const root = workspace.rootOf(path)
  const { chart, diagnostics } =
    root === path
      ? await chartOfText(path, text, parts)
      : compile(withText(root, { file: path, text }, workspace), {
          ...(await services.compileOptionsOf(root)),
          file: root,
        })
  if (chart === null)
    throw new HttpError(422, {
      code: "config_invalid",
      message: `${path} has errors. Fix them before you run it.`,
      diagnostics,
    })
  return chart
}
