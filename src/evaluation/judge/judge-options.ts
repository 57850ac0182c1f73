import { wordsOf } from "../../errors.js"
import type { JsonObject } from "../../machines/data/json-object.js"
import type { CriterionPlace } from "../criteria/criterion.js"
import { readNumber } from "../criteria/option-values.js"
import { fieldOf, type Place } from "../reading/place.js"
import { judgeChart } from "./judge-chart.js"

/** The judge model, and the number of its samples. */
export interface JudgeOptions {
  readonly model: string
  readonly generationConfig: JsonObject | null
  readonly samples: number
}

const defaultModel = "gemini-2.5-flash"
const defaultSamples = 5

export function readJudgeOptions(place: CriterionPlace): JudgeOptions {
  const options = place.read.object(fieldOf(place.options, "judge_model_options"))
  if (options === null)
    return { model: defaultModel, generationConfig: null, samples: defaultSamples }
  const model = place.read.text(fieldOf(options, "judge_model")) ?? defaultModel
  return {
    model,
    generationConfig: readGenerationConfig(fieldOf(options, "judge_model_config"), model, place),
    samples:
      readNumber(
        fieldOf(options, "num_samples"),
        place,
        "a whole number, 1 or greater",
        (value) => Number.isInteger(value) && value >= 1,
      ) ?? defaultSamples,
  }
}

function readGenerationConfig(
  place: Place,
  model: string,
  { name, read, mistakes }: CriterionPlace,
): JsonObject | null {
  const generationConfig = read.object(place)?.value ?? null
  if (generationConfig === null) return null
  try {
    judgeChart({ criterion: name, model, generationConfig, task: "" })
    return generationConfig
  } catch (error) {
    mistakes.add(
      "criterion_invalid",
      place.at,
      `the generation settings are not valid: ${wordsOf(error)}`,
      'Write settings such as { "temperature": 0 }.',
    )
    return null
  }
}
