import { thrownMessage } from "../../errors.js"
import { isJsonObject } from "../../machines/data/json-object.js"
import { readField } from "../reading/fields.js"
import type { EvaluationProblem, MistakeList } from "../reading/problem.js"
import { mistakesOf } from "../reading/problem.js"
import type { LocatedObject, LocatedValue, TypedReader } from "../reading/located-value.js"
import { fieldOf, isMissing, itemsOf, typedReader } from "../reading/located-value.js"
import type { EvalCase, EvalSet, EvalTurn } from "./eval-set.js"
import {
  caseExtensionFields,
  caseFields,
  oldCaseFields,
  sessionFields,
  setFields,
  simulatedUser,
} from "./eval-set-fields.js"
import { readEvalAnswers } from "./read-answers.js"
import { readOldTurn, readRubrics, readTurn } from "./read-turn.js"

const forms =
  "Accepted forms: an object with eval_cases, a list of {query, expected_tool_use, reference}, or a list of {name, data, initial_session}."

/**
 * Parses an eval set in one of three formats of ADK (`EvalSet`, old test file, or old eval set).
 * Never throws. If the file has mistakes, `set` is null and `problems` describes the mistakes.
 */
export function readEvalSet(
  text: string,
  { file }: { readonly file: string },
): { readonly set: EvalSet | null; readonly problems: readonly EvaluationProblem[] } {
  const { set, problems } = parseEvalSet(text, file)
  return { set: problems.length === 0 ? set : null, problems }
}

/**
 * Parses an eval set and returns the valid cases even if the file has mistakes, which `problems`
 * describes.
 */
export function parseEvalSet(
  text: string,
  file: string,
): { readonly set: EvalSet | null; readonly problems: readonly EvaluationProblem[] } {
  const mistakes = mistakesOf(file)
  return { set: read(text, file, mistakes), problems: mistakes.all }
}

function read(text: string, file: string, mistakes: MistakeList): EvalSet | null {
  const reader = typedReader(mistakes, "evalset_invalid")
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch (error) {
    mistakes.add("evalset_invalid", "", `${file} is not JSON: ${thrownMessage(error)}`, forms)
    return null
  }
  const root = { value, pointer: "" }
  const evalSetId = baseName(file)
  if (isJsonObject(value)) {
    const object = { value, pointer: "" }
    const cases = fieldOf(object, "eval_cases")
    if (!isMissing(cases)) {
      const list = reader.list(cases)
      if (list === null) return null
      return {
        file,
        evalSetId: readField(reader, object, setFields, "eval_set_id") ?? evalSetId,
        cases: withUniqueIds(
          itemsOf(list).map((item) => readCase(item, reader, mistakes)),
          mistakes,
        ),
      }
    }
  }
  if (Array.isArray(value) && value.every(isJsonObject)) {
    const items = itemsOf({ value, pointer: root.pointer })
    if (value.some((item) => Object.hasOwn(item, "data")))
      return {
        file,
        evalSetId,
        cases: withUniqueIds(
          items.map((item) => readOldCase(item, reader, mistakes)),
          mistakes,
        ),
      }
    if (value.length === 0 || value.some((item) => Object.hasOwn(item, "query")))
      return {
        file,
        evalSetId,
        cases:
          value.length === 0
            ? []
            : [
                {
                  ...emptyCase,
                  evalId: evalSetId.replace(/(\.test|\.evalset)?\.json$/, ""),
                  pointer: "",
                  turns: turnsIn(items, reader, readOldTurn),
                },
              ],
      }
  }
  mistakes.add("evalset_invalid", "", `${file} is not an eval set`, forms)
  return null
}

const emptyCase: Omit<EvalCase, "evalId" | "pointer" | "turns"> = {
  needsSimulatedUser: false,
  state: {},
  rubrics: [],
  finalState: null,
  answers: [],
  criteria: null,
}

/**
 * Result of reading one case of an eval set. `case` is null if the case has mistakes. `id` is also
 * set for such a case, to check that ids are unique.
 */
interface ReadCase {
  readonly id: string | null
  /** JSON pointer to the id of the case in the file. */
  readonly idAt: string
  readonly case: EvalCase | null
}

function readCase(item: LocatedValue, read: TypedReader, mistakes: MistakeList): ReadCase {
  const located = read.requiredObject(item)
  if (located === null) return { id: null, idAt: item.pointer, case: null }
  const id = readField(read, located, caseFields, "eval_id")
  const conversation = fieldOf(located, "conversation")
  const scenario = fieldOf(located, simulatedUser)
  const [hasConversation, hasScenario] = [!isMissing(conversation), !isMissing(scenario)]
  if (hasConversation === hasScenario)
    mistakes.add(
      "evalset_invalid",
      located.pointer,
      hasScenario
        ? "has both conversation and conversation_scenario"
        : "has neither conversation nor conversation_scenario",
      "Write one of the two fields.",
    )
  const list =
    hasConversation && !hasScenario ? readField(read, located, caseFields, "conversation") : null
  if (list?.value.length === 0)
    mistakes.add(
      "evalset_invalid",
      list.pointer,
      "the conversation is empty",
      "Add a turn with user_content.",
    )
  const own = readField(read, located, caseFields, "x_agent_statecharts")
  return {
    id,
    idAt: fieldOf(located, "eval_id").pointer,
    case: {
      evalId: id ?? "",
      pointer: located.pointer,
      turns: list === null ? [] : turnsIn(itemsOf(list), read, readTurn),
      needsSimulatedUser: hasScenario,
      state: stateIn(readField(read, located, caseFields, "session_input"), read),
      rubrics: readRubrics(readField(read, located, caseFields, "rubrics"), read),
      finalState: readField(read, located, caseFields, "final_session_state")?.value ?? null,
      answers:
        own === null
          ? []
          : readEvalAnswers(readField(read, own, caseExtensionFields, "answers"), read, mistakes),
      criteria: own === null ? null : readField(read, own, caseExtensionFields, "criteria"),
    },
  }
}

function readOldCase(item: LocatedValue, read: TypedReader, mistakes: MistakeList): ReadCase {
  const located = read.requiredObject(item)
  if (located === null) return { id: null, idAt: item.pointer, case: null }
  const id = readField(read, located, oldCaseFields, "name")
  const data = readField(read, located, oldCaseFields, "data")
  if (data?.value.length === 0)
    mistakes.add(
      "evalset_invalid",
      data.pointer,
      "the conversation is empty",
      "Add a turn with a query.",
    )
  return {
    id,
    idAt: fieldOf(located, "name").pointer,
    case: {
      ...emptyCase,
      evalId: id ?? "",
      pointer: located.pointer,
      turns: data === null ? [] : turnsIn(itemsOf(data), read, readOldTurn),
      state: stateIn(readField(read, located, oldCaseFields, "initial_session"), read),
    },
  }
}

function withUniqueIds(cases: readonly ReadCase[], mistakes: MistakeList): readonly EvalCase[] {
  const seen = new Set<string>()
  for (const { id, idAt } of cases) {
    if (id === null) continue
    if (seen.has(id))
      mistakes.add(
        "evalset_invalid",
        idAt,
        `the id ${JSON.stringify(id)} is used twice`,
        "Give each case its own id.",
      )
    seen.add(id)
  }
  return cases.flatMap((entry) => entry.case ?? [])
}

const stateIn = (session: LocatedObject | null, read: TypedReader): EvalCase["state"] =>
  (session === null ? null : readField(read, session, sessionFields, "state"))?.value ?? {}

const turnsIn = (
  items: readonly LocatedValue[],
  read: TypedReader,
  readOne: (located: LocatedValue, read: TypedReader) => EvalTurn | null,
): readonly EvalTurn[] => items.flatMap((item) => readOne(item, read) ?? [])

const baseName = (file: string): string =>
  file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)
