import { isJsonObject } from "../../machines/data/json-object.js"
import type { SchemaObject } from "../../compiler/schema/object-schema.js"
import type { MistakeList } from "../reading/problem.js"
import type { LocatedList, TypedReader } from "../reading/located-value.js"
import { itemsOf } from "../reading/located-value.js"
import type { EvalAnswer } from "./eval-set.js"

const forms =
  '{"approve": true, "args": {...}}, {"reject": true, "reason": "..."}, {"answer": ...} or {"user": "..."}, each with an optional "id"'

/** Reads the answers of people in a test case. Returns one array of answers for each turn. */
export function readEvalAnswers(
  turns: LocatedList | null,
  read: TypedReader,
  mistakes: MistakeList,
): readonly (readonly EvalAnswer[])[] {
  if (turns === null) return []
  return itemsOf(turns).map((turn) => {
    const answers = read.requiredList(turn)
    return (answers === null ? [] : itemsOf(answers)).flatMap(({ value, pointer }) => {
      if (isAnswer(value)) return [value]
      mistakes.add(
        "evalset_invalid",
        pointer,
        `is not an answer: ${JSON.stringify(value)}`,
        `Write ${forms}.`,
      )
      return []
    })
  })
}

const answerSchemas = {
  approve: { const: true, description: "Approve the request." },
  args: { type: "object", description: "Arguments that replace those of the approved call." },
  reject: { const: true, description: "Reject the request." },
  reason: { type: "string", description: "The reason, which the model receives." },
  answer: { description: "The answer to a question." },
  user: { type: "string", description: "The next message of the user." },
  id: { type: "string", description: "Id of the request. Default: the oldest fitting request." },
} satisfies Readonly<Record<string, SchemaObject>>

const fieldsByForm: Readonly<Record<string, readonly (keyof typeof answerSchemas)[]>> = {
  approve: ["approve", "args", "id"],
  reject: ["reject", "reason", "id"],
  answer: ["answer", "id"],
  user: ["user", "id"],
}

/** JSON Schema of the answers of people after one turn of a test case. */
export const answersSchema: SchemaObject = {
  type: "array",
  items: {
    anyOf: Object.entries(fieldsByForm).map(([form, fields]) => ({
      type: "object",
      properties: Object.fromEntries(fields.map((field) => [field, answerSchemas[field]])),
      required: [form],
      additionalProperties: false,
    })),
  },
}

function isAnswer(value: unknown): value is EvalAnswer {
  if (!isJsonObject(value)) return false
  const { approve, reject, user, args, reason, id } = value
  const form = Object.keys(fieldsByForm).find((name) => Object.hasOwn(value, name))
  if (form === undefined) return false
  return (
    Object.keys(value).every((field) => fieldsByForm[form]?.some((known) => known === field)) &&
    (form !== "approve" || approve === true) &&
    (form !== "reject" || reject === true) &&
    (form !== "user" || typeof user === "string") &&
    (args === undefined || isJsonObject(args)) &&
    (reason === undefined || typeof reason === "string") &&
    (id === undefined || typeof id === "string")
  )
}
