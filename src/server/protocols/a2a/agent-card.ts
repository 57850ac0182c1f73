import type { AgentCard } from "@a2a-js/sdk"
import { describeWorkflow } from "../../workflows/describe-workflow.js"
import type { ServedWorkflow } from "../../workflows/served-workflows.js"

/** Returns the A2A agent card, which describes a workflow to other agents. */
export function agentCard(
  workflow: ServedWorkflow,
  url: string,
  version: string,
  pushNotifications: boolean,
): AgentCard {
  const { id } = workflow
  const description = describeWorkflow(workflow)
  const modes = ["text/plain", "application/json"]
  return {
    name: id,
    description,
    version,
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
    provider: undefined,
    capabilities: {
      streaming: true,
      pushNotifications,
      extensions: [],
      extendedAgentCard: false,
    },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: "httpAuthSecurityScheme",
          value: { description: "Bearer token of the server.", scheme: "Bearer", bearerFormat: "" },
        },
      },
    },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: modes,
    defaultOutputModes: modes,
    skills: [
      {
        id,
        name: id,
        description,
        tags: ["workflow"],
        examples: [],
        inputModes: modes,
        outputModes: modes,
        securityRequirements: [],
      },
    ],
    signatures: [],
  }
}
