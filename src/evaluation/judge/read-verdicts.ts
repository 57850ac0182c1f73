import { isJsonObject } from "../../machines/data/json-object.js"
import type { Rubric } from "../eval-set/eval-set.js"

/**
 * Vote in an answer of a judge model. True means that the judge accepts the response or rubric, and
 * false means that the judge rejects it. Null means that the answer contains no vote.
 */
export type Vote = boolean | null

/** Parses the field `is_the_agent_response_valid` in an answer of a judge model. */
export function readLabel(answer: string): Vote {
  const match = /["']?\bis_the_agent_response_valid\b["']?\s*:\s*\[?\s*["']?\s*([a-z_ ]+)/i.exec(
    answer,
  )
  const label = match?.[1]?.trim().toLowerCase().replaceAll(/\s+/g, " ")
  if (label === undefined) return null
  if (label === "valid" || label === "true") return true
  return invalidLabels.has(label) ? false : null
}

const invalidLabels: ReadonlySet<string> = new Set([
  "invalid",
  "false",
  "almost",
  "partially_valid",
  "partially valid",
  "partially",
])

/**
 * Verdict on one rubric in an answer of a judge model. The answer identifies the rubric by its id
 * or its text (`property`).
 */
interface Verdict {
  readonly id: string | null
  readonly property: string | null
  readonly vote: Vote
}

/** Vote of a judge model on a rubric of the evaluation. `rubric` is the id of the rubric. */
export interface RubricVote {
  readonly rubric: string
  readonly vote: boolean
}

/**
 * Parses an answer of a judge model and returns its votes on `rubrics`. Skips unknown rubrics and
 * verdicts without a vote.
 */
export function readRubricVotes(answer: string, rubrics: readonly Rubric[]): readonly RubricVote[] {
  const ids = new Set(rubrics.map(({ id }) => id))
  const byText = new Map(rubrics.map(({ id, text }) => [comparable(text), id] as const))
  return readVerdicts(answer).flatMap(({ id, property, vote }) => {
    const rubric =
      id !== null && ids.has(id)
        ? id
        : property === null
          ? undefined
          : byText.get(comparable(property))
    return rubric === undefined || vote === null ? [] : [{ rubric, vote }]
  })
}

function readVerdicts(answer: string): readonly Verdict[] {
  return readJsonVerdicts(answer) ?? readLineVerdicts(answer)
}

/**
 * Parses an answer of a judge model that is a JSON array, with or without a code fence. Returns
 * null if the answer has another format.
 */
function readJsonVerdicts(answer: string): readonly Verdict[] | null {
  const fenced = /```(?:json)?\s*\n?([\s\S]*?)```/i.exec(answer)?.[1]
  for (const text of [fenced, answer]) {
    if (text === undefined) continue
    const list = parseList(text.trim())
    if (list !== null)
      return list.filter(isJsonObject).map(({ rubric_id: id, property, verdict }) => ({
        id: typeof id === "string" ? id : null,
        property: typeof property === "string" ? property : null,
        vote: typeof verdict === "string" ? voteIn(verdict) : null,
      }))
  }
  return null
}

function parseList(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    // The answer is not JSON, so it may have the format of {@link readLineVerdicts}.
    return null
  }
}

/**
 * Parses an answer of a judge model in text format. The answer consists of blocks with the lines
 * `ID:` (optional), `Property:`, `Rationale:` and `Verdict:`.
 */
function readLineVerdicts(answer: string): readonly Verdict[] {
  const verdicts: Verdict[] = []
  let [properties, rationales, count] = [0, 0, 0]
  let [id, property]: [string | null, string | null] = [null, null]
  for (const line of answer.split(/\r?\n/)) {
    const [, name, value = ""] =
      /^[\s*_#>-]*(ID|Property|Rationale|Verdict)[*_]*\s*:[*_]*(.*)$/i.exec(line) ?? []
    switch (name?.toLowerCase()) {
      case "id":
        id = value.trim().replaceAll(/^[*_`"'\s]+|[*_`"'\s]+$/g, "")
        break
      case "property":
        properties++
        property = value
        break
      case "rationale":
        rationales++
        break
      case "verdict":
        count++
        verdicts.push({ id, property, vote: voteIn(value) })
        id = null
        property = null
        break
      default:
    }
  }
  return properties === count && rationales === count ? verdicts : []
}

function voteIn(verdict: string): Vote {
  const text = verdict.toLowerCase()
  if (text.includes("yes")) return true
  return text.includes("no") ? false : null
}

/**
 * Normalizes the text of a rubric, so that texts with different Unicode forms, quotes, dashes,
 * spaces, letter case or Markdown are equal.
 */
const comparable = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[“”„‟«»]/g, '"')
    .replaceAll(/[‘’‚‛]/g, "'")
    .replaceAll(/[‐‑‒–—―−]/g, "-")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[*_`#>\-•"' ]+|[*_`#>\-•"' ]+$/g, "")
    .toLowerCase()
