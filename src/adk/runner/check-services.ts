import { checkOptions } from "../../machines/data/check-arguments.js"
import { runnerOptionNames } from "../../runtime/runner/runner-options.js"
import { refuse } from "../common/refuse.js"
import { BaseSessionService } from "./base-session-service.js"

/**
 * Throws if a runner config contains an invalid option, an ADK service that this package does not
 * support, or no session service.
 */
export function refuseServices(config: object): void {
  // In JavaScript, a config can contain any field, regardless of its type.
  const options = config as Readonly<Record<string, unknown>>
  checkOptions(config, { call: "Runner", example: "{ agent, sessionService }", known: optionNames })
  for (const [field, fix] of Object.entries(otherServices))
    if (options[field] !== undefined) refuse(`A Runner does not accept "${field}".`, fix)
  const sessionService = options["sessionService"]
  if (!(sessionService instanceof BaseSessionService))
    refuse(
      `The "sessionService" of a Runner is ${sessionService === undefined ? "missing" : "not a BaseSessionService of this package"}.`,
      "Pass a new InMemorySessionService(), an instance of a class that extends BaseSessionService, or use an InMemoryRunner with a session store as `sessions`.",
    )
}

const otherServices = {
  credentialService: "Remove it, and return { pending: true, auth: { url } } from a tool.",
}

const optionNames = [
  ...Object.keys(runnerOptionNames),
  "app",
  "agent",
  "appName",
  "plugins",
  "sessionService",
  "artifactService",
  "memoryService",
  "resumabilityConfig",
]
