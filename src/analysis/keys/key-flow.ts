import { systemKeys } from "../../machines/data/system-keys.js"
import type { Finding } from "../findings/finding.js"
import type { KeyEvent, KeyReadEvent, KeyStretch } from "./key-events.js"
import type { EnclosingBranch, PlacedWrite, WritesByFork } from "./parallel-branches.js"
import { findSiblingWrite, groupByFork } from "./parallel-branches.js"
import { overwritten, readEarly, readFromSibling } from "./key-findings.js"

/** What the flow through a part of a chart knows. */
interface Frame {
  readonly part: KeyStretch | null
  /** Keys that may have been written here; those of the frames around are looked at, too. */
  readonly written: Set<string>
  /** Of a fork: what its branches have written, which is seen only after it. */
  readonly joined: Set<string>
  /** Writes that nothing has read yet, in a stretch where all comes in order. */
  readonly unread: Map<string, PlacedWrite>
  hostCodeRan: boolean
  hostCodeJoins: boolean
  readonly branches: EnclosingBranch | null
  readonly begin: number
  branchesSeen: number
}

export interface FlowInput {
  readonly events: readonly KeyEvent[]
  readonly seeded: Readonly<Record<string, unknown>>
  readonly writers: ReadonlyMap<string, readonly PlacedWrite[]>
  /** Host code anywhere may write a key that nothing else writes. */
  readonly hasHostCode: boolean
  /** What an invocation writes, the next one of the session finds. */
  readonly isSession: boolean
  /** Whether it is not known what was written before. */
  readonly startsUnknown: boolean
}

/** Goes through what happens to the state in order, and finds reads of what cannot be there yet, and writes that nothing reads. */
export function followKeys(input: FlowInput): readonly Finding[] {
  const findings: Finding[] = []
  const forks = new Map([...input.writers].map(([key, writes]) => [key, groupByFork(writes)]))
  walk(input.events, (event, index, frames, frame) => {
    switch (event.type) {
      case "open":
        frame.unread.clear()
        return
      case "close":
        return
      case "host code":
        frame.hostCodeRan = true
        return forgetUnread(frames)
      case "everything is read":
        return forgetUnread(frames)
      case "read": {
        const finding = earlyRead(event, frames, forks, input)
        if (finding !== null) findings.push(finding)
        for (const { unread } of frames) unread.delete(event.key)
        return
      }
      case "write": {
        const earlier = frame.unread.get(event.key)
        if (earlier !== undefined && (event.since === null || earlier.index < event.since))
          findings.push(overwritten(earlier, event))
        frame.written.add(event.key)
        frame.unread.set(event.key, { ...event, index, branches: frame.branches })
      }
    }
  })
  return findings
}

/** Where every key is written, with the branches around it. */
export function placeWrites(events: readonly KeyEvent[]): readonly PlacedWrite[] {
  const writes: PlacedWrite[] = []
  walk(events, (event, index, _frames, { branches }) => {
    if (event.type === "write") writes.push({ ...event, index, branches })
  })
  return writes
}

function walk(
  events: readonly KeyEvent[],
  visit: (event: KeyEvent, index: number, frames: readonly Frame[], frame: Frame) => void,
): void {
  let frame = newFrame(null, null, 0)
  const frames = [frame]
  for (const [index, event] of events.entries()) {
    visit(event, index, frames, frame)
    if (event.type === "open") {
      frame = newFrame(event.part, branchesOf(event.part, frame), index)
      frames.push(frame)
    } else if (event.type === "close") {
      frames.pop()
      const around = frames.at(-1)
      if (around === undefined) continue
      leave(frame, around)
      frame = around
    }
  }
}

const newFrame = (
  part: KeyStretch | null,
  branches: EnclosingBranch | null,
  begin: number,
): Frame => ({
  part,
  written: new Set(),
  joined: new Set(),
  unread: new Map(),
  hostCodeRan: false,
  hostCodeJoins: false,
  branches,
  begin,
  branchesSeen: 0,
})

function branchesOf(part: KeyStretch, around: Frame): EnclosingBranch | null {
  if (part === "branch")
    return {
      fork: around.begin,
      branch: around.branchesSeen++,
      conditional: false,
      outer: around.branches,
    }
  return part === "when" && around.branches !== null
    ? { ...around.branches, conditional: true }
    : around.branches
}

/** What was written in a branch is seen by nobody before the join, so not by the branches after it. */
function leave(left: Frame, around: Frame): void {
  const isBranch = left.part === "branch"
  const seen = isBranch ? around.joined : around.written
  for (const key of left.written) seen.add(key)
  for (const key of left.joined) around.written.add(key)
  if (left.hostCodeRan && isBranch) around.hostCodeJoins = true
  else if (left.hostCodeRan || left.hostCodeJoins) around.hostCodeRan = true
}

function forgetUnread(frames: readonly Frame[]): void {
  for (const { unread } of frames) unread.clear()
}

/** A finding where nothing can have written the key that is read. */
function earlyRead(
  read: KeyReadEvent,
  frames: readonly Frame[],
  forks: ReadonlyMap<string, WritesByFork>,
  { seeded, writers, hasHostCode, isSession, startsUnknown }: FlowInput,
): Finding | null {
  const { key, required, inCondition } = read
  if (
    systemKeys.has(key) ||
    /^(?:user|app|temp):/.test(key) ||
    Object.hasOwn(seeded, key) ||
    startsUnknown
  )
    return null
  if (
    frames.some(
      ({ part, written, hostCodeRan }) => part === "any order" || hostCodeRan || written.has(key),
    )
  )
    return null
  const writer = writers.get(key)?.[0] ?? null
  if (writer === null)
    return hasHostCode || !(required || inCondition) ? null : readEarly(read, null)
  // Where it does not fail, later rounds and later invocations may find it.
  const isLater = isSession || frames.some(({ part }) => part === "loop")
  if (!required && (!inCondition || isLater)) return null
  const sibling = findSiblingWrite(frames.at(-1)?.branches ?? null, forks.get(key))
  return sibling === null ? readEarly(read, writer) : readFromSibling(read, sibling)
}
