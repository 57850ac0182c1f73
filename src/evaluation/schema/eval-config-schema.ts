import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import { configFields, criteriaFields } from "../config/config-fields.js"
import { fieldSchemas, fieldsSchema } from "../reading/fields.js"
import { objectSchema, requiredFieldSchema } from "../reading/json-schema.js"
import { criteriaSchema, customCriterion } from "./criteria-schema.js"

/**
 * Returns the JSON Schema (draft 2020-12) of an ADK file with evaluation criteria, such as
 * `test_config.json`. Criteria with unknown names are allowed only if the file defines custom
 * metrics.
 */
export const evalConfigSchema = (): SchemaObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Criteria of an evaluation with agent-statecharts",
  ...fieldsSchema({ ...configFields, ...criteriaFields }),
  if: requiredFieldSchema("custom_metrics"),
  // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema
  then: withCriteria("anyCriteria"),
  else: withCriteria("criteria"),
  $defs: {
    criteria: criteriaSchema(false),
    anyCriteria: criteriaSchema(customCriterion),
  },
})

/**
 * Returns a JSON Schema for the two locations of criteria in a config, `criteria` and
 * `x_agent_statecharts.criteria`. `name` is the definition in `$defs` that validates the criteria.
 */
function withCriteria(name: string): SchemaObject {
  const criteria = { ...fieldSchemas(criteriaFields).criteria, $ref: `#/$defs/${name}` }
  const fields = objectSchema({ criteria })
  return objectSchema({ criteria, x_agent_statecharts: fields })
}
