import * as z from "zod"
import type { responseFieldNames } from "./scenario-fields.js"
import { llmEntry, scenarioFile, specialTool, toolEntry } from "./scenario-fields.js"

/** A JSON Schema that is an object, not a boolean. */
type Schema = Readonly<Record<string, unknown>>

const described = (description: string, more: Schema = {}): Schema => ({ description, ...more })

/**
 * Descriptions of the fields of a scripted model response, so that editors can complete the fields.
 * The fields have no types, because a scenario may contain invalid responses.
 */
const responseFields = {
  content: described("The text of the response, or null."),
  toolCalls: described("The tools that the model calls.", {
    items: {
      properties: {
        id: described("Id of the call. Default: an id is generated."),
        function_name: described("Name of the tool."),
        function_args: described("Arguments of the tool, as an object."),
      },
    },
  }),
  exitFlow: described("End the workflow after this response."),
  escalate: described("End the enclosing loop after this response."),
  waitForUserInput: described("Ask the user for the next message."),
  hitlRequest: described("Ask a person to approve the tool calls.", {
    properties: {
      prompt: described("The question to the person."),
      actionDetails: described("Data that is shown with the question."),
    },
  }),
  usage: described("The tokens of the call.", {
    properties: {
      inputTokens: described("Number of tokens of the request."),
      outputTokens: described("Number of tokens of the response."),
    },
  }),
} satisfies Readonly<Record<(typeof responseFieldNames)[number], Schema>>

/**
 * Returns the JSON Schema (draft 2020-12) of scenario files. The schema accepts every valid
 * scenario, and also scenarios with invalid combinations of fields. Only `readScenario` checks
 * these combinations.
 */
export function scenarioSchema(): Schema {
  const schema = z.toJSONSchema(scenarioFile, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === llmEntry)
        jsonSchema.properties = { ...responseFields, ...jsonSchema.properties }
      // Any object is allowed. If it has fields other than control fields, it is the data of the
      // tool.
      if (zodSchema === toolEntry)
        Object.assign(jsonSchema, { type: "object", properties: toolFields() })
    },
  })
  return { ...schema, title: "A scenario of agent-statecharts: scripted responses" }
}

/**
 * Returns the descriptions of the control fields of a scripted tool response, so that editors can
 * complete the fields. The fields have no types, because data of a tool may have fields with the
 * same names.
 */
function toolFields(): Schema {
  const { properties = {} } = z.toJSONSchema(specialTool, { unrepresentable: "any" })
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      typeof field === "object" && field.description !== undefined
        ? described(field.description)
        : {},
    ]),
  )
}
