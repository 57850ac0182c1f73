import type { Command } from "commander"
import { Argument } from "commander"
import type { ExitCode } from "../terminal/exit-codes.js"
import { exitCodes } from "../terminal/exit-codes.js"
import type { Terminal } from "../terminal/terminal.js"

const schemaNames = [
  "graph-compose",
  "adk",
  "scenario",
  "policy",
  "eval-set",
  "eval-config",
  "schedules",
  "webhooks",
] as const

type SchemaName = (typeof schemaNames)[number]

const manual = `
The schemas are also files of the package, in node_modules/agent-statecharts/dist/schema. Refer to them in a config:
  "$schema": "./node_modules/agent-statecharts/dist/schema/graph-compose.schema.json"
or in the first line of a YAML file:
  # yaml-language-server: $schema=./node_modules/agent-statecharts/dist/schema/adk.schema.json

Examples:
  agent-statecharts schema
  agent-statecharts schema adk > adk.schema.json`

export function addSchema(
  program: Command,
  terminal: Terminal,
  exit: (code: ExitCode) => void,
): void {
  program
    .command("schema")
    .description("print the JSON Schema of configs and other files, for editors")
    .addArgument(
      new Argument(
        "[name]",
        "graph-compose and adk: configs in this dialect; scenario: scripted responses; policy: policy files; eval-set and eval-config: files of the command eval; schedules and webhooks: files of serve",
      )
        .choices([...schemaNames])
        .default("graph-compose"),
    )
    .addHelpText("after", manual)
    .action(async (name: SchemaName) => {
      terminal.document(`${JSON.stringify(await schemaOf(name), null, 2)}\n`)
      exit(exitCodes.ok)
    })
}

async function schemaOf(name: SchemaName): Promise<object> {
  if (name === "scenario") {
    const { scenarioSchema } = await import("../../adapters/scripted/scenario-schema.js")
    return scenarioSchema()
  }
  if (name === "policy") {
    const { policySchema } = await import("../../compiler/schema/policy-schema.js")
    return policySchema()
  }
  if (name === "eval-set") {
    const { evalSetSchema } = await import("../../evaluation/schema/eval-set-schema.js")
    return evalSetSchema()
  }
  if (name === "eval-config") {
    const { evalConfigSchema } = await import("../../evaluation/schema/eval-config-schema.js")
    return evalConfigSchema()
  }
  if (name === "schedules") {
    const { scheduleFileSchema } = await import("../../server/schedules/schedule-file.js")
    return scheduleFileSchema()
  }
  if (name === "webhooks") {
    const { webhookFileSchema } = await import("../../server/webhooks/webhook-file.js")
    return webhookFileSchema()
  }
  const { configSchema } = await import("../../compiler/index.js")
  return configSchema(name)
}
