import { isJsonObject } from "../../machines/data/json-object.js"
import type { Rubric } from "../eval-set/eval-set.js"

/** The vote in one answer of a judge: true (valid), false (invalid) or null (no vote found). */
export type Vote = boolean | null

/** Parses the label `is_the_agent_response_valid` in an answer of the judge. */
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
 * A verdict on one rubric in an answer of the judge. The answer names the rubric by its id or by
 * its text.
 */
interface Verdict {
  readonly id: string | null
  readonly property: string | null
  readonly vote: Vote
}

/** A valid vote of the judge on a known rubric. `rubric` is the id of the rubric. */
export interface RubricVote {
  readonly rubric: string
  readonly vote: boolean
}

/**
 * Parses an answer of the judge and returns its votes on the given rubrics. Skips unknown rubrics
 * and verdicts without a vote.
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
 * Parses an answer that is a JSON list, optionally in a code fence. Returns null if the answer has
 * another format.
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
 * Parses an answer in text form: blocks of the lines `ID:` (optional), `Property:`, `Rationale:`
 * and `Verdict:`.
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
 * Normalizes the text of a rubric for comparison: Unicode form, quotes, dashes, spaces and
 * Markdown.
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
