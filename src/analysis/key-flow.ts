import { systemKeys } from "../machines/data/system-keys.js"
import type { Finding } from "./finding.js"
import type { KeyEvent, Part } from "./key-events.js"
import { overwritten, readEarly, readFromSibling } from "./key-findings.js"

export type Read = Extract<KeyEvent, { type: "read" }>
export type Write = Extract<KeyEvent, { type: "write" }>

/** The branches that something stands in, innermost first. */
export interface Branches {
  /** The fork, by where it begins in the events. */
  readonly fork: number
  readonly branch: number
  /** Whether a `when` stands between the fork and what is meant: it may exclude another branch. */
  readonly conditional: boolean
  readonly outer: Branches | null
}

export interface PlacedWrite extends Write {
  readonly at: number
  readonly branches: Branches | null
}

/** What the flow through a part of a chart knows. */
interface Frame {
  readonly part: Part | null
  /** Keys that may have been written here; those of the frames around are looked at, too. */
  readonly written: Set<string>
  /** Of a fork: what its branches have written, which is seen only after it. */
  readonly joined: Set<string>
  /** Writes that nothing has read yet, in a stretch where all comes in order. */
  readonly unread: Map<string, PlacedWrite>
  hostCodeRan: boolean
  hostCodeJoins: boolean
  readonly branches: Branches | null
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
  const forks = new Map([...input.writers].map(([key, writes]) => [key, forksOf(writes)]))
  walk(input.events, (event, at, frames, frame) => {
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
        if (earlier !== undefined && (event.since === null || earlier.at < event.since))
          findings.push(overwritten(earlier, event))
        frame.written.add(event.key)
        frame.unread.set(event.key, { ...event, at, branches: frame.branches })
      }
    }
  })
  return findings
}

/** Where every key is written, with the branches around it. */
export function placeWrites(events: readonly KeyEvent[]): readonly PlacedWrite[] {
  const writes: PlacedWrite[] = []
  walk(events, (event, at, _frames, { branches }) => {
    if (event.type === "write") writes.push({ ...event, at, branches })
  })
  return writes
}

function walk(
  events: readonly KeyEvent[],
  visit: (event: KeyEvent, at: number, frames: readonly Frame[], frame: Frame) => void,
): void {
  let frame = newFrame(null, null, 0)
  const frames = [frame]
  for (const [at, event] of events.entries()) {
    visit(event, at, frames, frame)
    if (event.type === "open") {
      frame = newFrame(event.part, branchesOf(event.part, frame), at)
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

const newFrame = (part: Part | null, branches: Branches | null, begin: number): Frame => ({
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

function branchesOf(part: Part, around: Frame): Branches | null {
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
  read: Read,
  frames: readonly Frame[],
  forks: ReadonlyMap<string, Forks>,
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
  const sibling = siblingOf(frames.at(-1)?.branches ?? null, forks.get(key))
  return sibling === null ? readEarly(read, writer) : readFromSibling(read, sibling)
}

/** Writers of one key by the forks around them: of each fork no more than two, in different branches. */
type Forks = ReadonlyMap<number, readonly PlacedWrite[]>

/** So that whoever reads a key need not look at all who write it. */
function forksOf(writes: readonly PlacedWrite[]): Forks {
  const forks = new Map<number, PlacedWrite[]>()
  for (const write of writes) {
    for (let at = write.branches; at !== null; at = at.outer) {
      const known = forks.get(at.fork) ?? []
      forks.set(at.fork, known)
      if (
        known.length === 0 ||
        (known.length === 1 && areSiblings(known[0]?.branches ?? null, write.branches) === at.fork)
      )
        known.push(write)
    }
  }
  return forks
}

function siblingOf(branches: Branches | null, forks: Forks | undefined): PlacedWrite | null {
  for (let at = branches; at !== null; at = at.outer) {
    const { fork } = at
    const found = forks?.get(fork)?.find((write) => areSiblings(write.branches, branches) === fork)
    if (found !== undefined) return found
  }
  return null
}

/** The fork in whose different branches two things stand; null where there is none. */
export function areSiblings(one: Branches | null, other: Branches | null): number | null {
  const byFork = new Map<number, Branches>()
  for (let at = one; at !== null; at = at.outer) byFork.set(at.fork, at)
  for (let at = other; at !== null; at = at.outer) {
    const same = byFork.get(at.fork)
    if (same !== undefined && same.branch !== at.branch)
      return same.conditional && at.conditional ? null : at.fork
  }
  return null
}
