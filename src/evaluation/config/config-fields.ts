import { fieldsSchema, objectField, textField } from "../reading/fields.js"

// `readEvalConfig` and the JSON Schema of evaluation configs use these field definitions.

export const codeFields = {
  name: textField("Path of the function. Its last segment is an export of the services module.", {
    isRequired: true,
  }),
}

export const metricFields = {
  code_config: objectField("The function of the criterion.", {
    isRequired: true,
    schema: fieldsSchema(codeFields),
  }),
}

export const criteriaFields = {
  criteria: objectField("Criteria by name: a threshold, or an object with options."),
}

export const configFields = {
  custom_metrics: objectField("Custom criteria by name.", {
    schema: { additionalProperties: fieldsSchema(metricFields) },
  }),
  x_agent_statecharts: objectField("Fields of agent-statecharts, which ADK ignores."),
}
