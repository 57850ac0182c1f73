import { dirname, join } from "node:path"
import type { Studio } from "../../studio/server/start-studio.js"
import { startStudio } from "../../studio/server/start-studio.js"
import type { CompleteJournal } from "../../runtime/journal/journal.js"
import type { MemoryService } from "../../runtime/journal/memory-service.js"
import type { ResponseCache } from "../../runtime/journal/response-cache.js"
import type { SessionStore } from "../../runtime/journal/session-store.js"
import { policyChecker } from "../counterexample/policy-checker.js"
import type { ServingOptions } from "../options/serving-options.js"
import { openPolicies } from "../services/open-policies.js"
import { openRunServices, readDeclarations } from "../services/open-run-services.js"
import { readCallPrices } from "../services/read-call-prices.js"
import type { Terminal } from "../terminal/terminal.js"
import { compileAs } from "../workflow/compile-options.js"

/** Address of a studio server, and the workflows and runs that it shows. */
export interface StudioProgramOptions {
  /** Path of a workflow file, or of a folder with workflows. */
  readonly path: string
  readonly host?: string
  readonly port: number
  readonly journal: CompleteJournal
  readonly sessions?: SessionStore
  readonly memory?: MemoryService
  readonly responseCache?: ResponseCache
  /** Name of the journal in messages. It is a folder, a file or a URL. */
  readonly location: string
  readonly addressFile?: string
}

/** Starts a studio server with the services that the command-line options select. */
export async function openStudio(
  { location, ...studio }: StudioProgramOptions,
  options: ServingOptions,
  terminal: Terminal,
): Promise<Studio> {
  const { journal: _journal, ...services } = options
  const policies = await openPolicies(options)
  return startStudio({
    ...studio,
    openServices: openRunServices(services, policies),
    checker: policyChecker(
      {
        policy: options.policy ?? [],
        enforce: options.enforce ?? false,
        prices: options.prices === undefined ? null : await readCallPrices(options.prices),
        workflow: {
          ...(options.services !== undefined && { services: options.services }),
          ...(options.allowProcesses !== undefined && { allowProcesses: options.allowProcesses }),
        },
        folder: join(
          location.includes("://") ? ".agent-statecharts" : dirname(location),
          "counterexamples",
        ),
      },
      terminal,
    ),
    readDeclarations,
    compileAs: await compileAs(options),
  })
}
