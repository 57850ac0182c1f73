import { refuse } from "../common/refuse.js"
import type { LlmResponse } from "../callbacks/llm-request.js"
import { BaseLlm } from "./base-llm.js"

/**
 * Base class of ADK's Google models, which this package does not include. The constructor throws.
 */
abstract class GoogleModel extends BaseLlm {
  constructor({ model = "" }: { readonly model?: string } = {}) {
    super({ model })
    refuse(
      `The class ${this.constructor.name} is not available.`,
      "Pass the name of the model as `model`, and register a model adapter with the runner (docs/models.md).",
    )
  }

  override generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    return this.connect()
  }

  override connect(): never {
    return refuse(`The class ${this.constructor.name} is not available.`, "See docs/models.md.")
  }
}

/**
 * Declared only for ADK programs that import it. The constructor always throws.
 *
 * @throws AgentStatechartsError `definition_refused`. Use a model adapter instead (docs/models.md).
 */
export class Gemini extends GoogleModel {}

/**
 * Declared only for ADK programs that import it. The constructor always throws.
 *
 * @throws AgentStatechartsError `definition_refused`. Use a model adapter instead (docs/models.md).
 */
export class ApigeeLlm extends GoogleModel {}
