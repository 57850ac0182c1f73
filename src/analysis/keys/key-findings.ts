import type { Finding } from "../findings/finding.js"
import type { KeyReadEvent, KeyWriteEvent } from "./key-events.js"
import type { PlacedWrite } from "./parallel-branches.js"

const show = (text: string): string => JSON.stringify(text)

/** Who writes: an agent, or a tool of it. */
const writerText = ({ writer, agent }: KeyWriteEvent): string =>
  writer === agent ? show(agent) : `the tool ${show(writer)} of ${show(agent)}`

export const readEarly = (
  { agent, key, by, required }: KeyReadEvent,
  writer: KeyWriteEvent | null,
): Finding => ({
  code: "read_before_write",
  severity: "warning",
  agent,
  key,
  message: `${by} reads the key ${show(key)} ${writer === null ? "that nothing writes" : `before anything has written it: ${writerText(writer)} does so later`}${required ? ", which fails" : ", so it never finds it"}`,
  fix:
    writer === null
      ? "Give an agent this outputKey, or add the key to the initial state."
      : `Let ${show(writer.agent)} run first, or add the key to the initial state.`,
})

export const readFromSibling = (
  { agent, key, by }: KeyReadEvent,
  writer: KeyWriteEvent,
): Finding => ({
  code: "branch_race",
  severity: "warning",
  agent,
  key,
  message: `${by} reads the key ${show(key)}, which ${writerText(writer)} writes in another branch at the same time: branches see the state from before the block, so it is not there`,
  fix: `Let ${show(agent)} run after the parallel block, or write the key before it.`,
})

export const writtenTwice = (one: KeyWriteEvent, other: KeyWriteEvent): Finding => ({
  code: "branch_race",
  severity: "warning",
  agent: other.agent,
  key: other.key,
  message: `writes the key ${show(other.key)} in a parallel branch, and so does ${writerText(one)} in another: only what the later branch writes is kept`,
  fix: `Give each branch a key of its own, or say how their writes are joined: "stateMerge": {${show(other.key)}: "append"}.`,
})

export const overwritten = (earlier: PlacedWrite, later: KeyWriteEvent): Finding => ({
  code: "overwritten_unread",
  severity: "warning",
  agent: earlier.agent,
  key: earlier.key,
  message: `what ${writerText(earlier)} writes under the key ${show(earlier.key)} is lost: ${writerText(later)} overwrites it before anything has read it`,
  fix: "Give one of the two another outputKey.",
})
