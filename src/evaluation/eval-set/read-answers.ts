import { isJsonObject } from "../../machines/data/json-object.js"
import type { MistakeList } from "../reading/problem.js"
import type { Place, TypedReader } from "../reading/place.js"
import { itemsOf } from "../reading/place.js"
import type { EvalAnswer } from "./eval-set.js"

const forms =
  '{"approve": true, "args": {...}}, {"reject": true, "reason": "..."}, {"answer": ...} or {"user": "..."}, each with an optional "id"'

/** Reads the answers of a case: a list for each turn. */
export function readEvalAnswers(
  place: Place,
  read: TypedReader,
  mistakes: MistakeList,
): readonly (readonly EvalAnswer[])[] {
  const turns = read.list(place)
  if (turns === null) return []
  return itemsOf(turns).map((turn) => {
    const answers = read.requiredList(turn)
    return (answers === null ? [] : itemsOf(answers)).flatMap(({ value, at }) => {
      if (isAnswer(value)) return [value]
      mistakes.add(
        "evalset_invalid",
        at,
        `is not an answer: ${JSON.stringify(value)}`,
        `Write ${forms}.`,
      )
      return []
    })
  })
}

const fieldsByForm: Readonly<Record<string, readonly string[]>> = {
  approve: ["approve", "args", "id"],
  reject: ["reject", "reason", "id"],
  answer: ["answer", "id"],
  user: ["user", "id"],
}

function isAnswer(value: unknown): value is EvalAnswer {
  if (!isJsonObject(value)) return false
  const { approve, reject, user, args, reason, id } = value
  const form = Object.keys(fieldsByForm).find((name) => Object.hasOwn(value, name))
  if (form === undefined) return false
  return (
    Object.keys(value).every((field) => fieldsByForm[form]?.includes(field) ?? false) &&
    (form !== "approve" || approve === true) &&
    (form !== "reject" || reject === true) &&
    (form !== "user" || typeof user === "string") &&
    (args === undefined || isJsonObject(args)) &&
    (reason === undefined || typeof reason === "string") &&
    (id === undefined || typeof id === "string")
  )
}
