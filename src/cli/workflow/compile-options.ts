import type { CompileOptions } from "../../compiler/compile.js"
import type { CompileAs } from "../../serving/compile-as.js"
import type { WorkflowOptions } from "../options/workflow-options.js"
import type { ConfigSource } from "../files/read-source.js"
import { loadDeclarations } from "../services/load-services.js"

/**
 * Returns the compile options that apply to all workflow configs of a command. Options for a single
 * file, such as the dialect, are not included.
 */
export async function compileAs({
  allowProcesses,
  services,
}: Pick<WorkflowOptions, "allowProcesses" | "services">): Promise<CompileAs> {
  const declared = services === undefined ? undefined : await loadDeclarations(services)
  return {
    ...(declared !== undefined && { services: declared }),
    ...(allowProcesses !== undefined && { allowProcesses }),
  }
}

/** Returns the compile options that the command-line options select for one workflow config. */
export async function compileOptions(
  { dialect, node, exitScope, ...options }: WorkflowOptions,
  { name, files }: Pick<ConfigSource, "name" | "files">,
): Promise<CompileOptions> {
  return {
    file: name,
    ...(files !== undefined && { folder: files }),
    ...(await compileAs(options)),
    ...(dialect !== undefined && { dialect }),
    ...(node !== undefined && { node }),
    ...(exitScope !== undefined && { subAgentExitFlow: exitScope }),
  }
}
