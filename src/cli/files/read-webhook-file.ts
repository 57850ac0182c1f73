import type { WebhookConfig } from "../../server/webhooks/webhook.js"
import { UsageProblem } from "../errors/usage-problem.js"
import { readJson } from "./read-source.js"

/**
 * Reads and validates the webhooks in a JSON file. Reads their secrets from environment variables.
 *
 * @throws UsageProblem with the problems of the file
 */
export async function readWebhookFile(file: string): Promise<WebhookConfig> {
  const { readWebhooks } = await import("../../server/webhooks/webhook-file.js")
  const { config, problems } = readWebhooks(await readJson(file, "webhook file"), process.env)
  if (problems.length > 0)
    throw new UsageProblem(
      `${file} is not a valid webhook file.\n${problems.map((problem) => `  ${problem}`).join("\n")}\nTo see all fields, run agent-statecharts schema webhooks.`,
    )
  return config
}
