import { openFolder } from "../../adapters/files/open-folder.js"
import type { Compiled } from "../../compiler/compile.js"
import { compile } from "../../compiler/compile.js"
import type { ConfigFolder } from "../../compiler/1-parse/files/config-folder.js"
import type { DrawChart } from "../../drawing/svg/cached-drawings.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { textOfContent } from "../../machines/contract/user-content.js"
import type { CompiledText } from "../api.js"
import { HttpError } from "../../serving/http-error.js"
import type { Workspace } from "./workspace.js"

/**
 * Compiles a text as the content of a file. Files that it refers to are read from the disk. A text
 * that is a compiled chart is not compiled.
 */
function compileText(path: string, text: string, workspace: Workspace): Compiled {
  const chart = compiledChart(text)
  if (chart !== null) return { chart, diagnostics: [], description: null, needs: [] }
  const folder = withText(path, text, workspace)
  return compile(/\.ya?ml$/i.test(path) ? folder : text, {
    ...workspace.compileAs,
    file: path,
    folder,
  })
}

function withText(path: string, text: string, workspace: Workspace): ConfigFolder {
  const whole = workspace.resolve(path)
  const onDisk = openFolder(whole)
  return {
    ...onDisk,
    root: onDisk.root,
    open: (file) => (file === onDisk.root ? { text } : onDisk.open(file)),
  }
}

function compiledChart(text: string): AgentChart | null {
  if (!/"formatVersion"\s*:/.test(text)) return null
  try {
    // The runtime validates the chart when it loads it.
    return JSON.parse(text) as AgentChart
  } catch {
    return null
  }
}

/** Compiles a text and returns its diagnostics, its drawing and the services that it needs. */
export async function checkText(
  path: string,
  text: string,
  workspace: Workspace,
  draw: DrawChart,
): Promise<CompiledText> {
  const { chart, diagnostics, needs } = compileText(path, text, workspace)
  return {
    diagnostics: diagnostics.filter(({ severity }) => severity !== "hint"),
    svg: chart === null ? null : await draw(chart),
    prompt:
      chart === null || chart.input.prompt === null ? null : textOfContent(chart.input.prompt),
    needs: needs.map(({ kind, name }) => `${kind} ${name}`),
  }
}

/** Returns the chart of a text. Throws an HTTP error with the diagnostics if it has errors. */
export function chartToRun(path: string, text: string, workspace: Workspace): AgentChart {
  const { chart, diagnostics } = compileText(path, text, workspace)
  if (chart === null)
    throw new HttpError(422, {
      code: "config_invalid",
      message: `${path} has errors. Fix them before you run it.`,
      diagnostics,
    })
  return chart
}
