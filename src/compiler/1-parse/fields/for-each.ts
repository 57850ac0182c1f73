import type { Completion, ForEach } from "../../../machines/contract/chart-machine.js"
import { isHiddenKey } from "../../../machines/data/session-state.js"
import { systemKeys } from "../../../machines/data/system-keys.js"
import type { parallelAgent } from "../../agent-types/containers.js"
import { forEach as description } from "../../agent-types/for-each.js"
import { fieldOf, report } from "../../diagnostics/config-location.js"
import { describeValue } from "../../diagnostics/show.js"
import { itemsExpression } from "./condition.js"
import type { ReadDescribed } from "./described-table.js"
import { describedTable, readDescribed } from "./described-table.js"
import type { Reader } from "./field-table.js"
import { fieldTable, required } from "./field-table.js"
import { outputKey, refuseReserved } from "./output-key.js"
import { count, objectOf, refuseType } from "./plain-values.js"
import { readFields } from "./read-fields.js"

/**
 * Parses the field `forEach` of a ParallelAgent, which defines the items for which the sub-agent
 * runs.
 */
export const forEach: Reader<ForEach> = (value, location) => {
  const object = objectOf(value)
  if (object === null)
    return refuseType(value, location, "an object", `{"items": "session_state['documents']"}`)
  const { values, locationOf: fieldAt } = readDescribed(object, table, location)
  const { items, as, collect, maxItems } = values
  const own = new Set([as, `${as}_index`])
  for (const target of Object.keys(collect ?? {}))
    if (own.has(target))
      report(fieldOf(fieldAt("collect"), target), {
        code: "reserved_name",
        problem: `is ${describeValue(target)}, which contains the item or its index inside a branch`,
        fix: 'Choose another key for the list in "collect", or another name for the item in "as".',
      })
  return items === null ? null : { items, as, collect: collect ?? {}, maxItems }
}

const stateName: Reader<string> = (value, location) => {
  if (typeof value !== "string") return refuseType(value, location, "a string", '"document"')
  if (systemKeys.has(value)) return refuseReserved(value, location)
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(value)
    ? value
    : report(location, {
        code: "bad_value",
        problem: `is ${describeValue(value)}, which is not an identifier`,
        fix: 'Use letters, digits and "_", and do not start with a digit.',
      })
}

/**
 * Parses the field `collect` of a `forEach`, such as `{ summaries: "summary" }`. Each value is a
 * state key that the branches write. Each key is the state key that receives the list of these
 * values, so it must not be a system key.
 */
const collect: Reader<ForEach["collect"]> = (value, location) => {
  const object = objectOf(value)
  if (object === null) return refuseType(value, location, "an object", '{"summaries": "summary"}')
  const read = Object.entries(object).map(([target, source]) => {
    const keyLocation = fieldOf(location, target)
    return [outputKey(target, keyLocation), sourceKey(source, keyLocation)] as const
  })
  return Object.fromEntries(
    read.filter((entry): entry is [string, string] => entry[0] !== null && entry[1] !== null),
  )
}

const sourceKey: Reader<string> = (value, location) => {
  if (typeof value !== "string" || value === "")
    return refuseType(value, location, "the key that each branch writes", 'a key such as "summary"')
  return isHiddenKey(value) ? outputKey(value, location) : value
}

const table = describedTable(description, "graph-compose", {
  items: itemsExpression,
  stateName,
  collect,
  count,
})

/**
 * Parses the rule that decides when a parallel block is complete: `all`, `first-success` or
 * `{ quorum }`.
 */
export const completion: Reader<Completion> = (value, location) => {
  if (value === "all" || value === "first-success") return value
  const object = objectOf(value)
  if (object === null)
    return report(location, {
      code: "bad_value",
      problem: `must be "all", "first-success" or a quorum, not ${describeValue(value)}`,
      fix: 'Write "all", "first-success" or {"quorum": 2}.',
    })
  const { quorum } = readFields(object, quorumFields, location).values
  return quorum === null ? null : { quorum }
}

const quorumFields = fieldTable("a completion", {
  quorum: required(count, 'Add the number of branches that must succeed: {"quorum": 2}.'),
})

/**
 * Checks the number of sub-agents of a ParallelAgent. Reports an error if there are several
 * sub-agents with `forEach`, or fewer sub-agents than the quorum in `completion`.
 */
export function checkBranches({
  values,
  locationOf,
}: ReadDescribed<typeof parallelAgent.fields>): void {
  const { forEach, completion, subAgents } = values
  const branches = subAgents?.length ?? 0
  const { naming } = locationOf("forEach").parser
  if (forEach !== null) {
    if (branches > 1)
      report(locationOf("forEach"), {
        code: "bad_value",
        problem: `needs exactly one sub-agent, but the agent has ${branches}`,
        fix: `Keep one sub-agent. To run several agents for each item, put them into a SequentialAgent or a ParallelAgent.`,
        part: "key",
      })
    return
  }
  if (typeof completion === "string" || completion.quorum <= branches || branches === 0) return
  report(fieldOf(locationOf("completion"), "quorum"), {
    code: "bad_value",
    problem: `is ${completion.quorum}, but the agent has only ${branches} sub-agents`,
    fix: `Use a quorum of at most ${branches}, or add sub-agents to ${describeValue(naming.name("subAgents"))}.`,
  })
}
