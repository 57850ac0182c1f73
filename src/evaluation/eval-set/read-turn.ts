import type { Place, ObjectPlace, TypedReader } from "../reading/place.js"
import { fieldOf, itemsOf } from "../reading/place.js"
import type { EvalCall, EvalTurn, Rubric } from "./eval-set.js"
import { contentText, userMessage } from "./read-content.js"

/** Reads an `Invocation` of ADK. */
export function readTurn(place: Place, read: TypedReader): EvalTurn | null {
  const turn = read.requiredObject(place)
  if (turn === null) return null
  const user = read.requiredObject(fieldOf(turn, "user_content"))
  const response = read.object(fieldOf(turn, "final_response"))
  const data = read.object(fieldOf(turn, "intermediate_data"))
  const expectedCalls = data === null ? [] : expectedCallsOf(data, read)
  const { content, text, unsupported } =
    user === null ? { content: "", text: "", unsupported: [] } : userMessage(user, read)
  return {
    invocationId: read.text(fieldOf(turn, "invocation_id")) ?? "",
    user: content,
    userText: text,
    unsupportedParts: unsupported,
    reference: response === null ? null : contentText(response, read),
    expectedCalls,
    rubrics: readRubrics(fieldOf(turn, "rubrics"), read),
  }
}

function expectedCallsOf(data: ObjectPlace, read: TypedReader): readonly EvalCall[] {
  const events = read.list(fieldOf(data, "invocation_events"))
  if (events !== null)
    return objectsIn(events, read)
      .flatMap((event) => {
        const content = read.object(fieldOf(event, "content"))
        const parts = content === null ? null : read.list(fieldOf(content, "parts"))
        return parts === null ? [] : objectsIn(parts, read)
      })
      .flatMap((part) => {
        const call = read.object(fieldOf(part, "function_call"))
        return call === null ? [] : readCall(call, "name", "args", read)
      })
  const uses = read.list(fieldOf(data, "tool_uses"))
  return uses === null
    ? []
    : objectsIn(uses, read).flatMap((use) => readCall(use, "name", "args", read))
}

function readCall(
  call: ObjectPlace,
  nameField: string,
  argsField: string,
  read: TypedReader,
): readonly EvalCall[] {
  const name = read.requiredText(fieldOf(call, nameField))
  const args = read.object(fieldOf(call, argsField))
  const id = fieldOf(call, "id").value
  return name === null
    ? []
    : [{ id: typeof id === "string" ? id : null, name, args: args?.value ?? {} }]
}

/** Reads a turn of an old test file: `{ query, expected_tool_use, reference }`. */
export function readOldTurn(place: Place, read: TypedReader): EvalTurn | null {
  const turn = read.requiredObject(place)
  if (turn === null) return null
  const query = read.requiredText(fieldOf(turn, "query"))
  const uses = read.list(fieldOf(turn, "expected_tool_use"))
  const reference = read.text(fieldOf(turn, "reference"))
  return {
    invocationId: "",
    user: query ?? "",
    userText: query ?? "",
    unsupportedParts: [],
    reference,
    expectedCalls:
      uses === null
        ? []
        : objectsIn(uses, read).flatMap((use) => readCall(use, "tool_name", "tool_input", read)),
    rubrics: [],
  }
}

/** Reads a list of rubrics. A missing list is empty. */
export function readRubrics(place: Place, read: TypedReader): readonly Rubric[] {
  const list = read.list(place)
  return list === null
    ? []
    : objectsIn(list, read).flatMap((rubric) => {
        const id = read.requiredText(fieldOf(rubric, "rubric_id"))
        const content = read.requiredObject(fieldOf(rubric, "rubric_content"))
        const text = content === null ? null : read.requiredText(fieldOf(content, "text_property"))
        const type = read.text(fieldOf(rubric, "type"))
        return id === null || text === null ? [] : [{ id, text, type, at: rubric.at }]
      })
}

const objectsIn = (
  list: { readonly value: readonly unknown[]; readonly at: string },
  read: TypedReader,
): readonly ObjectPlace[] =>
  itemsOf(list).flatMap((item) => {
    const object = read.requiredObject(item)
    return object === null ? [] : [object]
  })
