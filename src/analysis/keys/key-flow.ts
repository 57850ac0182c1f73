import { keyScopeOf } from "../../machines/data/key-scope.js"
import { systemKeys } from "../../machines/data/system-keys.js"
import type { Finding } from "../findings/finding.js"
import type { KeyEvent, KeyReadEvent, KeySection } from "./key-events.js"
import type { EnclosingBranch, PlacedWrite, WritesByFork } from "./parallel-branches.js"
import { findSiblingWrite, groupByFork } from "./parallel-branches.js"
import { overwritten, readEarly, readFromSibling } from "./key-finding-messages.js"

/**
 * The accesses to session state keys in one section that the analysis has found so far. A section
 * is a part of a run, such as a loop or a parallel branch. {@link KeySection} lists all kinds of
 * sections.
 */
interface Frame {
  readonly section: KeySection | null
  /**
   * Keys that may have been written in this section, for example in a loop. The frames of the
   * enclosing sections contain the keys that were written before the section.
   */
  readonly written: Set<string>
  /**
   * Keys that the branches of a parallel block have written, if the section is a parallel block.
   * Agents can read them after the block. Otherwise empty.
   */
  readonly joined: Set<string>
  /**
   * For each key, the last write whose value has not been read yet. Used to find values that are
   * overwritten before they are read. Cleared where the execution order is not fixed.
   */
  readonly unread: Map<string, PlacedWrite>
  hostCodeRan: boolean
  hostCodeJoins: boolean
  readonly branches: EnclosingBranch | null
  readonly begin: number
  branchesSeen: number
}

export interface FlowInput {
  readonly events: readonly KeyEvent[]
  readonly initialState: Readonly<Record<string, unknown>>
  readonly writers: ReadonlyMap<string, readonly PlacedWrite[]>
  /**
   * Whether the chart has host functions (functions that you register), which may write any key.
   */
  readonly hasHostCode: boolean
  /**
   * Whether a session can have several invocations, so that an invocation can read the keys that an
   * earlier invocation wrote.
   */
  readonly isSession: boolean
  /**
   * Whether any key may already have a value before the first event. If true, reads of keys without
   * an earlier write are not reported.
   */
  readonly startsUnknown: boolean
}

/**
 * Checks all accesses to session state keys in execution order. Returns a finding for each read of
 * a key that cannot have a value yet, and for each value that is overwritten before it is read.
 */
export function checkKeyOrder(input: FlowInput): readonly Finding[] {
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
        return clearUnread(frames)
      case "everything is read":
        return clearUnread(frames)
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

/**
 * Returns all writes of session state keys. Each write also contains its position in `events` and
 * its parallel branch, so that it can be compared with other accesses.
 */
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
      frame = newFrame(event.section, branchesOf(event.section, frame), index)
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
  section: KeySection | null,
  branches: EnclosingBranch | null,
  begin: number,
): Frame => ({
  section,
  written: new Set(),
  joined: new Set(),
  unread: new Map(),
  hostCodeRan: false,
  hostCodeJoins: false,
  branches,
  begin,
  branchesSeen: 0,
})

function branchesOf(section: KeySection, around: Frame): EnclosingBranch | null {
  if (section === "branch")
    return {
      fork: around.begin,
      branch: around.branchesSeen++,
      conditional: false,
      outer: around.branches,
    }
  return section === "when" && around.branches !== null
    ? { ...around.branches, conditional: true }
    : around.branches
}

/**
 * Merges the accesses of a finished section into the enclosing section. Writes of a parallel branch
 * become visible after the block. Writes of a `forEach` branch are discarded, because later agents
 * do not see them.
 */
function leave(left: Frame, around: Frame): void {
  if (left.section === "item") return
  const isBranch = left.section === "branch"
  const seen = isBranch ? around.joined : around.written
  for (const key of left.written) seen.add(key)
  for (const key of left.joined) around.written.add(key)
  if (left.hostCodeRan && isBranch) around.hostCodeJoins = true
  else if (left.hostCodeRan || left.hostCodeJoins) around.hostCodeRan = true
}

function clearUnread(frames: readonly Frame[]): void {
  for (const { unread } of frames) unread.clear()
}

/**
 * Returns a finding if the key cannot have a value at the time of this read. Otherwise returns
 * null.
 */
function earlyRead(
  read: KeyReadEvent,
  frames: readonly Frame[],
  forks: ReadonlyMap<string, WritesByFork>,
  { initialState, writers, hasHostCode, isSession, startsUnknown }: FlowInput,
): Finding | null {
  const { key, required, inCondition } = read
  if (
    systemKeys.has(key) ||
    keyScopeOf(key) !== "session" ||
    Object.hasOwn(initialState, key) ||
    startsUnknown
  )
    return null
  if (
    frames.some(
      ({ section, written, hostCodeRan }) =>
        section === "any order" || hostCodeRan || written.has(key),
    )
  )
    return null
  const writer = writers.get(key)?.[0] ?? null
  if (writer === null)
    return hasHostCode || !(required || inCondition) ? null : readEarly(read, null)
  // In a loop or a session, a read of an optional key may find the value in a later round or
  // invocation.
  const isLater = isSession || frames.some(({ section }) => section === "loop")
  if (!required && (!inCondition || isLater)) return null
  const sibling = findSiblingWrite(frames.at(-1)?.branches ?? null, forks.get(key))
  return sibling === null ? readEarly(read, writer) : readFromSibling(read, sibling)
}
