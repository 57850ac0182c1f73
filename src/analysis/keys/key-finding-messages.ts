import type { Finding } from "../findings/finding.js"
import type { KeyReadEvent, KeyWriteEvent } from "./key-events.js"
import type { PlacedWrite } from "./parallel-branches.js"

const show = (text: string): string => JSON.stringify(text)

/** Returns the writer of a key as text for messages. The text names an agent or an agent's tool. */
const writerText = ({ writer, agent }: KeyWriteEvent): string =>
  writer === agent ? show(agent) : `the tool ${show(writer)} of ${show(agent)}`

/**
 * Returns the finding (a reported problem) for a key that is read before its first write. `writer`
 * is this write, or null if nothing writes the key.
 */
export const readEarly = (
  { agent, key, by, required }: KeyReadEvent,
  writer: KeyWriteEvent | null,
): Finding => {
  const when =
    writer === null
      ? "but nothing writes it"
      : `before anything has written it: ${writerText(writer)} writes it later`
  const orOptional =
    by === "the instruction" ? `, or write {${key}?} if the key may be missing` : ""
  const effect = required ? "so the run fails" : "so the key is always missing"
  return {
    code: "read_before_write",
    severity: "warning",
    agent,
    key,
    message: `${capitalized(by)} of ${show(agent)} reads the key ${show(key)}, ${when}, ${effect}.`,
    fix:
      writer === null
        ? `Set outputKey ${show(key)} on an agent that runs before, or add the key to the initial state${orOptional}.`
        : `Run ${show(writer.agent)} before ${show(agent)}, or add the key to the initial state${orOptional}.`,
  }
}

/**
 * Returns the finding for a key that is read in one parallel branch but written only in another.
 */
export const readFromSibling = (
  { agent, key, by }: KeyReadEvent,
  writer: KeyWriteEvent,
): Finding => ({
  code: "branch_race",
  severity: "warning",
  agent,
  key,
  message: `${capitalized(by)} of ${show(agent)} reads the key ${show(key)}, which ${writerText(writer)} writes in a parallel branch. Each branch only sees the state from before the parallel block, so the key is missing.`,
  fix: `Run ${show(agent)} after the parallel block, or write the key before the parallel block.`,
})

/** Returns the finding for a key that two branches of a parallel block write at the same time. */
export const writtenTwice = (one: KeyWriteEvent, other: KeyWriteEvent): Finding => ({
  code: "branch_race",
  severity: "warning",
  agent: other.agent,
  key: other.key,
  message: `${capitalized(writerText(other))} and ${writerText(one)} write the key ${show(other.key)} in parallel branches. Only the value of the branch that is declared last is kept.`,
  fix: `Use a different outputKey in each branch, or merge the values: "stateMerge": {${show(other.key)}: "append"}.`,
})

/** Returns the finding for a value that is overwritten before anything reads it. */
export const overwritten = (earlier: PlacedWrite, later: KeyWriteEvent): Finding => ({
  code: "overwritten_unread",
  severity: "warning",
  agent: earlier.agent,
  key: earlier.key,
  message: `The value that ${writerText(earlier)} writes to the key ${show(earlier.key)} is lost, because ${writerText(later)} overwrites the value before anything reads it.`,
  fix: "Use a different outputKey for one of the two agents.",
})

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
