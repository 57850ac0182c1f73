import { thrownMessage } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { CriterionInput } from "../criteria/criterion.js"
import { readNumber } from "../criteria/option-values.js"
import { fieldSchemas, objectField, readField, textField } from "../reading/fields.js"
import { objectSchema } from "../reading/json-schema.js"
import { fieldOf, type LocatedObject } from "../reading/located-value.js"
import { judgeChart } from "./judge-chart.js"

/**
 * Options of a criterion with a judge. They contain the judge model, its settings, and how many
 * times each question is sent.
 */
export interface JudgeOptions {
  readonly model: string
  readonly generationConfig: JsonObject | null
  readonly samples: number
}

const defaultModel = "gemini-2.5-flash"
const defaultSamples = 5

const modelFields = {
  judge_model: textField(`The model that judges. Default: ${defaultModel}.`),
  judge_model_config: objectField("Generation settings, such as temperature."),
}

const optionFields = {
  judge_model_options: objectField("The model that judges.", {
    schema: objectSchema({
      ...fieldSchemas(modelFields),
      num_samples: {
        description: `Number of calls for each decision. Default: ${defaultSamples}.`,
        type: "integer",
        minimum: 1,
      },
    }),
  }),
}

/** JSON Schemas of the options that all criteria with a judge model share. */
export const judgeOptions = fieldSchemas(optionFields)

export function readJudgeOptions(input: CriterionInput): JudgeOptions {
  const options = readField(input.read, input.options, optionFields, "judge_model_options")
  if (options === null)
    return { model: defaultModel, generationConfig: null, samples: defaultSamples }
  const model = readField(input.read, options, modelFields, "judge_model") ?? defaultModel
  return {
    model,
    generationConfig: readGenerationConfig(options, model, input),
    samples:
      readNumber(
        fieldOf(options, "num_samples"),
        input,
        "a whole number, 1 or greater",
        (value) => Number.isInteger(value) && value >= 1,
      ) ?? defaultSamples,
  }
}

function readGenerationConfig(
  options: LocatedObject,
  model: string,
  { name, read, mistakes }: CriterionInput,
): JsonObject | null {
  const generationConfig =
    readField(read, options, modelFields, "judge_model_config")?.value ?? null
  if (generationConfig === null) return null
  try {
    judgeChart({ criterion: name, model, generationConfig, task: "" })
    return generationConfig
  } catch (error) {
    mistakes.add(
      "criterion_invalid",
      fieldOf(options, "judge_model_config").pointer,
      `the generation settings are not valid: ${thrownMessage(error)}`,
      'Write settings such as { "temperature": 0 }.',
    )
    return null
  }
}
