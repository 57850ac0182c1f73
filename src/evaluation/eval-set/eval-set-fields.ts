import { fieldsSchema, listField, objectField, textField } from "../reading/fields.js"
import { answersSchema } from "./read-answers.js"

// The readers in this folder and the JSON Schema of eval sets use these field definitions.

const isRequired = true

/**
 * Definitions of the fields of a message part in an eval set. A part without text contains a file
 * or other data.
 */
export const partFields = { text: textField("A text. Files have inline_data or file_data.") }

const partList = (description: string) => listField(description, fieldsSchema(partFields))

/** Definitions of the fields of a user message or a response in an eval set. */
export const contentFields = { parts: partList("The parts of the message.") }

const content = fieldsSchema(contentFields)

export const rubricContentFields = {
  text_property: textField("The property that a judge checks.", { isRequired }),
}

export const rubricFields = {
  rubric_id: textField("Name of the rubric.", { isRequired }),
  rubric_content: objectField("What the rubric demands.", {
    isRequired,
    schema: fieldsSchema(rubricContentFields),
  }),
  type: textField("The criterion that uses the rubric.", {
    schema: {
      examples: ["FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY"],
    },
  }),
}

export const rubricList = (description: string) =>
  listField(description, fieldsSchema(rubricFields))

/** Definitions of the fields of an expected tool call in an eval set. */
export const callFields = {
  name: textField("Name of the tool.", { isRequired }),
  args: objectField("Arguments of the call."),
}

/** Definitions of the fields of an expected tool call in ADK's old test file format. */
export const oldCallFields = {
  tool_name: textField("Name of the tool.", { isRequired }),
  tool_input: objectField("Arguments of the call."),
}

export const eventPartFields = {
  function_call: objectField("A call of a tool.", { schema: fieldsSchema(callFields) }),
}

export const eventContentFields = {
  parts: listField("The parts of the event.", fieldsSchema(eventPartFields)),
}

export const eventFields = {
  content: objectField("Content of the event.", { schema: fieldsSchema(eventContentFields) }),
}

export const intermediateDataFields = {
  invocation_events: listField(
    "The events of the turn. Their calls are the expected tool calls.",
    fieldsSchema(eventFields),
  ),
  tool_uses: listField("The expected tool calls.", fieldsSchema(callFields)),
}

export const turnFields = {
  invocation_id: textField("Id of the turn. It has no effect."),
  user_content: objectField("The message of the user.", { isRequired, schema: content }),
  final_response: objectField("The expected response.", { schema: content }),
  intermediate_data: objectField("What is expected before the response.", {
    schema: fieldsSchema(intermediateDataFields),
  }),
  rubrics: rubricList("Properties of this turn that a judge checks."),
}

export const oldTurnFields = {
  query: textField("The message of the user.", { isRequired }),
  expected_tool_use: listField("The expected tool calls.", fieldsSchema(oldCallFields)),
  reference: textField("The expected response."),
}

export const sessionFields = { state: objectField("The session state at the start.") }

/** Definitions of the fields that this package adds to the case format of ADK. */
export const caseExtensionFields = {
  answers: listField("For each turn, the answers of people after it.", answersSchema),
  criteria: objectField("Criteria of this case. They replace criteria of the config.", {
    schema: { $ref: "#/$defs/criteria" },
  }),
}

export const caseFields = {
  eval_id: textField("Name of the case.", { isRequired }),
  conversation: listField("The turns of the conversation.", fieldsSchema(turnFields), {
    schema: { minItems: 1 },
  }),
  session_input: objectField("The session before the first turn.", {
    schema: fieldsSchema(sessionFields),
  }),
  rubrics: rubricList("Properties that a judge checks."),
  final_session_state: objectField("The expected values at the end."),
  x_agent_statecharts: objectField("Fields of agent-statecharts, which ADK ignores.", {
    schema: fieldsSchema(caseExtensionFields),
  }),
}

export const oldCaseFields = {
  name: textField("Name of the case.", { isRequired }),
  data: listField("The turns of the conversation.", fieldsSchema(oldTurnFields), {
    isRequired,
    schema: { minItems: 1 },
  }),
  initial_session: objectField("The session before the first turn.", {
    schema: fieldsSchema(sessionFields),
  }),
}

export const setFields = {
  eval_set_id: textField("Name of the eval set. Default: the name of the file."),
}

/**
 * Name of the field that marks a case as needing a simulated user, which is not supported. The
 * value of the field is ignored.
 */
export const simulatedUser = "conversation_scenario"
