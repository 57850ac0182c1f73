import type { CompileOptions } from "../../compiler/compile.js"
import type { AgentChart } from "../../machines/contract/agent-chart.js"
import { missingServiceList } from "../../runtime/host/missing-services.js"
import { HttpError, isReportedError } from "../../serving/http-error.js"
import type { OpenRunServices, RunServices, ServiceFiles } from "../../serving/run-services.js"
import type { Workspace } from "./workspace.js"

/**
 * A function that imports a module and returns the services that the module declares for the
 * compiler.
 */
export type ReadDeclarations = (module: string) => Promise<CompileOptions["services"]>

/**
 * Provides the services of the studio's runs. Reports missing services before a run is stored in
 * the journal.
 */
export class StudioServices {
  readonly #workspace: Workspace
  readonly #open: OpenRunServices
  readonly #readDeclarations: ReadDeclarations

  constructor(workspace: Workspace, open: OpenRunServices, readDeclarations: ReadDeclarations) {
    this.#workspace = workspace
    this.#open = open
    this.#readDeclarations = readDeclarations
  }

  /**
   * Returns the compile options of the workflow `path`. If the user has allowed the workflow's
   * module, they contain the service declarations of the module.
   */
  async compileOptionsOf(
    path: string,
  ): Promise<Pick<CompileOptions, "allowProcesses" | "services">> {
    const { compileAs } = this.#workspace
    const module = this.#workspace.allowedModuleOf(path)
    const services = module === null ? undefined : await this.#readDeclarations(module)
    return { ...compileAs, ...(services !== undefined && { services }) }
  }

  /**
   * Opens the services that a run needs.
   *
   * @throws HttpError `module_not_allowed` if the user has not allowed the module, or
   * `service_missing` with the missing services
   */
  readonly open: OpenRunServices = async (chart, files, workflows) => {
    if (files.module !== null && !this.#workspace.isAllowed(files.module))
      throw new HttpError(403, {
        code: "module_not_allowed",
        message: `The run uses the code of ${files.module}. Open the workflow, select "Use services.mjs", and try again.`,
      })
    const services = await this.#open(chart, files, workflows)
    const missing = missingServiceList(chart, services.calls)
    if (missing.length === 0) return services
    await services.close()
    throw new HttpError(422, {
      code: "service_missing",
      message: `The run cannot start, because services are missing: ${missing.join("; ")}.`,
    })
  }

  /**
   * Returns descriptions of the services that a run of the chart needs but the studio does not
   * have.
   */
  async missing(chart: AgentChart, files: ServiceFiles): Promise<readonly string[]> {
    let services: RunServices
    try {
      services = await this.#open(chart, files)
    } catch (error) {
      // For example, a module cannot be imported, or a model has no price. The user sees the
      // message.
      if (isReportedError(error)) return [error.message]
      throw error
    }
    const missing = missingServiceList(chart, services.calls)
    await services.close()
    return missing
  }
}
