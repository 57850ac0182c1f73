import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import {
  caseFields,
  oldCaseFields,
  oldTurnFields,
  setFields,
  simulatedUser,
} from "../eval-set/eval-set-fields.js"
import { fieldSchemas, fieldsSchema } from "../reading/fields.js"
import { objectSchema, requiredFieldSchema } from "../reading/json-schema.js"
import { criteriaSchema, customCriterion } from "./criteria-schema.js"

/**
 * Returns the JSON Schema (draft 2020-12) of eval sets in three formats of ADK (`EvalSet`, old test
 * file, and old eval set). It does not check that ids are unique, but `readEvalSet` does.
 */
export const evalSetSchema = (): SchemaObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "An eval set of agent-statecharts",
  if: { type: "array" },
  // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema
  then: {
    if: { contains: { type: "object", required: ["data"] } },
    // oxlint-disable-next-line unicorn/no-thenable -- `then` is a keyword of JSON Schema
    then: { items: fieldsSchema(oldCaseFields) },
    else: { items: fieldsSchema(oldTurnFields) },
  },
  else: {
    ...objectSchema({
      ...fieldSchemas(setFields),
      eval_cases: { description: "The cases.", type: "array", items: { $ref: "#/$defs/case" } },
    }),
    ...requiredFieldSchema("eval_cases"),
  },
  $defs: { case: caseSchema(), criteria: criteriaSchema(customCriterion) },
})

/** Returns the JSON Schema of a test case. A case has either a conversation or a simulated user. */
const caseSchema = (): SchemaObject => ({
  allOf: [
    fieldsSchema(caseFields),
    objectSchema({
      [simulatedUser]: { description: "A simulated user. Such a case is not evaluated." },
    }),
  ],
  oneOf: [requiredFieldSchema("conversation"), requiredFieldSchema(simulatedUser)],
})
