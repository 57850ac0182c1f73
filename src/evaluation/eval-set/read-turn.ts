import { readField } from "../reading/fields.js"
import type {
  LocatedList,
  LocatedValue,
  LocatedObject,
  TypedReader,
} from "../reading/located-value.js"
import { fieldOf, itemsOf } from "../reading/located-value.js"
import type { EvalCall, EvalTurn, Rubric } from "./eval-set.js"
import {
  callFields,
  eventContentFields,
  eventFields,
  eventPartFields,
  intermediateDataFields,
  oldCallFields,
  oldTurnFields,
  rubricContentFields,
  rubricFields,
  turnFields,
} from "./eval-set-fields.js"
import { contentText, userMessage } from "./read-content.js"

/**
 * Reads a turn of an eval set, which ADK calls an `Invocation`. Returns null if the turn is not an
 * object.
 */
export function readTurn(located: LocatedValue, read: TypedReader): EvalTurn | null {
  const turn = read.requiredObject(located)
  if (turn === null) return null
  const user = readField(read, turn, turnFields, "user_content")
  const response = readField(read, turn, turnFields, "final_response")
  const data = readField(read, turn, turnFields, "intermediate_data")
  const expectedCalls = data === null ? [] : expectedCallsOf(data, read)
  const { content, text, unsupported } =
    user === null ? { content: "", text: "", unsupported: [] } : userMessage(user, read)
  return {
    invocationId: readField(read, turn, turnFields, "invocation_id") ?? "",
    user: content,
    userText: text,
    unsupportedParts: unsupported,
    reference: response === null ? null : contentText(response, read),
    expectedCalls,
    rubrics: readRubrics(readField(read, turn, turnFields, "rubrics"), read),
  }
}

function expectedCallsOf(data: LocatedObject, read: TypedReader): readonly EvalCall[] {
  const events = readField(read, data, intermediateDataFields, "invocation_events")
  if (events !== null)
    return objectsIn(events, read)
      .flatMap((event) => {
        const content = readField(read, event, eventFields, "content")
        const parts =
          content === null ? null : readField(read, content, eventContentFields, "parts")
        return parts === null ? [] : objectsIn(parts, read)
      })
      .flatMap((part) => {
        const call = readField(read, part, eventPartFields, "function_call")
        return call === null ? [] : readCall(call, read)
      })
  const uses = readField(read, data, intermediateDataFields, "tool_uses")
  return uses === null ? [] : objectsIn(uses, read).flatMap((use) => readCall(use, read))
}

const readCall = (call: LocatedObject, read: TypedReader): readonly EvalCall[] =>
  callOf(call, readField(read, call, callFields, "name"), readField(read, call, callFields, "args"))

const readOldCall = (call: LocatedObject, read: TypedReader): readonly EvalCall[] =>
  callOf(
    call,
    readField(read, call, oldCallFields, "tool_name"),
    readField(read, call, oldCallFields, "tool_input"),
  )

function callOf(
  call: LocatedObject,
  name: string | null,
  args: LocatedObject | null,
): readonly EvalCall[] {
  const id = fieldOf(call, "id").value
  return name === null
    ? []
    : [{ id: typeof id === "string" ? id : null, name, args: args?.value ?? {} }]
}

/**
 * Reads a turn of a test file in the old format of ADK, `{ query, expected_tool_use, reference }`.
 */
export function readOldTurn(located: LocatedValue, read: TypedReader): EvalTurn | null {
  const turn = read.requiredObject(located)
  if (turn === null) return null
  const query = readField(read, turn, oldTurnFields, "query")
  const uses = readField(read, turn, oldTurnFields, "expected_tool_use")
  const reference = readField(read, turn, oldTurnFields, "reference")
  return {
    invocationId: "",
    user: query ?? "",
    userText: query ?? "",
    unsupportedParts: [],
    reference,
    expectedCalls:
      uses === null ? [] : objectsIn(uses, read).flatMap((use) => readOldCall(use, read)),
    rubrics: [],
  }
}

/** Reads the rubrics of a case or turn. Returns an empty array if the list is missing. */
export function readRubrics(list: LocatedList | null, read: TypedReader): readonly Rubric[] {
  return list === null
    ? []
    : objectsIn(list, read).flatMap((rubric) => {
        const id = readField(read, rubric, rubricFields, "rubric_id")
        const content = readField(read, rubric, rubricFields, "rubric_content")
        const text =
          content === null ? null : readField(read, content, rubricContentFields, "text_property")
        const type = readField(read, rubric, rubricFields, "type")
        return id === null || text === null ? [] : [{ id, text, type, pointer: rubric.pointer }]
      })
}

const objectsIn = (
  list: { readonly value: readonly unknown[]; readonly pointer: string },
  read: TypedReader,
): readonly LocatedObject[] =>
  itemsOf(list).flatMap((item) => {
    const object = read.requiredObject(item)
    return object === null ? [] : [object]
  })
