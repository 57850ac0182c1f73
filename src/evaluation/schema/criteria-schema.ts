import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { criterionTypes, metricNames } from "../criteria/criterion-types.js"
import type { CriterionType } from "../criteria/criterion.js"
import { objectSchema, orNull, requiredFieldSchema } from "../reading/json-schema.js"

/**
 * Returns the JSON Schema of an object with evaluation criteria, by name. `custom` is the schema of
 * criteria with unknown names. If `custom` is false, unknown names are not allowed.
 */
export const criteriaSchema = (custom: SchemaObject | false): SchemaObject => ({
  type: "object",
  properties: Object.fromEntries(
    Object.entries(criterionTypes).map(([name, type]) => [name, criterionSchema(type)]),
  ),
  propertyNames: { not: { enum: metricNames } },
  additionalProperties: custom,
})

/**
 * JSON Schema of a custom criterion, which is a threshold or an object with options. The value null
 * counts as missing.
 */
export const customCriterion: SchemaObject = { type: ["number", "object", "null"] }

function criterionSchema({
  options,
  requiredOption,
  hasAnyThreshold = false,
  ignoresOtherOptions = false,
}: CriterionType): SchemaObject {
  const threshold: SchemaObject = {
    type: "number",
    ...(!hasAnyThreshold && { minimum: 0, maximum: 1 }),
  }
  const description = "The lowest score with which the criterion passes. Default: 1."
  const asObject = {
    ...objectSchema({ threshold: { description, ...threshold }, ...options }),
    ...(!ignoresOtherOptions && { additionalProperties: false }),
  }
  return orNull(
    requiredOption === undefined
      ? { anyOf: [{ description, ...threshold }, asObject] }
      : { ...asObject, ...requiredFieldSchema(requiredOption) },
  )
}
