import assert from "node:assert/strict"
import { compile } from "../../src/compiler/compile.js"
import type { AgentChart } from "../../src/machines/contract/agent-chart.js"
import { RunCursor, runAt } from "../../src/runtime/history/snapshot-at.js"
import type { StoredRun } from "../../src/runtime/journal/journal.js"
import { isOutside } from "../../src/runtime/journal/journal.js"
import { caseCount } from "../support/random-cases.js"
import type { Tale } from "./arbitrary-scene.js"
import type { Coverage } from "./coverage.js"
import { checkRun, checkStream, contentOf, nothing } from "./invariants.js"
import type { Played, Told } from "./play.js"
import { playActor, playRun } from "./play.js"
import { attemptOf, worldOf } from "./world.js"

/** Compiles the config of a tale. Every random config is valid. */
export function chartOf({ config, dialect, maxRegions }: Tale): AgentChart {
  const { chart, diagnostics } = compile(config, { dialect, maxRegions })
  assert.ok(
    chart !== null,
    diagnostics
      .filter(({ severity }) => severity === "error")
      .map(({ message }) => message)
      .join("\n"),
  )
  return chart
}

/** Checks that a run ends, leaves nothing active, and is the same in both interpreters. */
export async function endsAndAgrees(tale: Tale, coverage: Coverage): Promise<void> {
  const chart = chartOf(tale)
  const run = await playRun(chart, tale.scene)
  checkRun(chart, run, tale.config)
  coverage.note(chart, run)
  const actor = await playActor(chart, tale.scene)
  assert.deepEqual(actor.left, nothing, "what the actor left behind")
  assert.deepEqual(actor.result, run.result)
  assert.deepEqual(actor.taken, run.taken)
  assert.deepEqual(byBranch(actor.events), byBranch(run.events))
}

/** Returns the events of each branch in order. The order of events in different branches is not specified. */
function byBranch(events: readonly Told[]): unknown {
  const branches: Record<string, unknown[]> = {}
  for (const event of events)
    if (event.type !== "run.started" && event.type !== "run.finished")
      (branches[event.branch ?? ""] ??= []).push(timeless(event))
  return branches
}

const timeless = (event: Told): unknown =>
  JSON.parse(
    JSON.stringify(event, (key, value: unknown) =>
      ["at", "seq", "until", "expiresAt", "runId"].includes(key) ? undefined : value,
    ),
  )

/** How often a run is killed, each time after this fraction of its journal, and how long it is then interrupted. */
export interface Deaths {
  readonly after: readonly number[]
  /** Whether it is killed only while a host function executes that has stored a step, if there is such a time. */
  readonly betweenSteps: boolean
  readonly downFor: number
}

/** Checks that a replayed run is the same and makes no calls, and that a run that is killed at any record resumes and has the same result. */
export async function survives(
  tale: Tale,
  { after, betweenSteps, downFor }: Deaths,
  coverage: Coverage,
): Promise<void> {
  const chart = chartOf(tale)
  const { scene } = tale
  const world = worldOf(scene.repertoire)
  const whole = await playRun(chart, scene, null, world)
  coverage.note(chart, whole)
  const before = world.calls.length
  const again = await playRun(chart, scene, whole.stored, world, downFor)
  assert.equal(world.calls.length, before, "a run that has ended calls nobody")
  assert.deepEqual(again.events, whole.events)
  assert.deepEqual(again.result, whole.result)
  checkPositions(whole.stored)

  let stored: StoredRun = whole.stored
  let last: Played = whole
  /** The calls that led to the stored records, without those that a killed process made after its last record. */
  let timeline = world.calls.slice(0, before)
  /** Times of the executed steps of host functions. A step is stored at the time at which it is executed. */
  let steps = new Map(world.steps.map(({ step, at }) => [step, at]))
  for (const part of after) {
    const positions = betweenSteps ? positionsBetweenSteps(stored) : []
    if (positions.length > 0) coverage.count("died between host steps")
    const records = stored.records.slice(
      0,
      positions[Math.floor(part * (positions.length - 1))] ??
        Math.floor(part * stored.records.length),
    )
    const diedAt = records.at(-1)?.[3] ?? stored.header.at
    const past = world.calls.length
    const pastSteps = world.steps.length
    const next = await playRun(chart, scene, { header: stored.header, records }, world, downFor)
    checkStream(next)
    assert.deepEqual(next.left, nothing, "what the resumed run left behind")
    const earlier = new Map(timeline.map((call) => [attemptOf(call.request), call]))
    for (const call of world.calls.slice(past)) {
      const known = earlier.get(attemptOf(call.request))
      if (known === undefined || "grantedSecret" in call.request) continue
      assert.ok(
        known.ended === null || known.ended > diedAt || known.since > diedAt || !known.isDone,
        `the call ${attemptOf(call.request)} had finished and is made again`,
      )
      // An answer of a person at that time may be lost, and is repeated at another time.
      if (known.since < diedAt)
        assert.deepEqual(
          contentOf(call.request),
          contentOf(known.request),
          `the call ${attemptOf(call.request)} is made again with something else`,
        )
    }
    steps = new Map([...steps].filter(([, at]) => at < diedAt))
    for (const { step, at } of world.steps.slice(pastSteps)) {
      assert.ok(!steps.has(step), `the step ${step} was stored and is executed again`)
      steps.set(step, at)
    }
    assert.deepEqual(
      next.events.slice(0, eventsBefore(next.events, diedAt)),
      last.events.slice(0, eventsBefore(next.events, diedAt)),
      "the past has changed",
    )
    timeline = [
      ...timeline.filter(({ ended }) => ended !== null && ended <= diedAt),
      ...world.calls.slice(past),
    ]
    stored = next.stored
    last = next
  }
  if (
    downFor > 0 ||
    whole.isTired ||
    JSON.stringify(whole.stored.records).includes("service_timeout")
  )
    return
  coverage.count("resumed to the same end")
  assert.deepEqual(last.result, whole.result, "the end of a run that has died")
  assert.deepEqual(last.events.map(timeless), whole.events.map(timeless))
}

/** Positions before the results of host functions that have stored a step, or that execute at the same time as one. */
function positionsBetweenSteps({ records }: StoredRun): readonly number[] {
  const ofHost = records.flatMap((record, position) =>
    !isOutside(record) && isHostOutcome(record[2]) ? [{ position, outcome: record[2] }] : [],
  )
  const first = ofHost.findIndex(({ outcome }) => outcome.type !== "returned")
  return first === -1 ? [] : ofHost.slice(first + 1).map(({ position }) => position)
}

const isHostOutcome = (value: unknown): value is { readonly type: string } =>
  typeof value === "object" && value !== null && "type" in value && "emitted" in value

/** Returns the number of events before a time. */
const eventsBefore = (events: readonly { readonly at: number }[], moment: number): number =>
  events.filter(({ at }) => at < moment).length

/** Number of positions of a run that are computed from its start. */
const checkedPositions = caseCount(6, Infinity)

/**
 * Checks that each position of a run is the same, whether its records are processed at once or in steps. Every position is computed in
 * steps, and some of them, with the first and the last, from the start of the run.
 */
function checkPositions(stored: StoredRun): void {
  const cursor = new RunCursor(stored.header, [])
  const stepped = [cursor.read()]
  for (const record of stored.records) {
    cursor.advance([record])
    stepped.push(cursor.read())
  }
  const step = Math.ceil(stored.records.length / checkedPositions)
  for (const [at, state] of stepped.entries()) {
    if (at % Math.max(step, 1) !== 0 && at !== stored.records.length) continue
    const { of: _of, machines: _machines, events, ...expected } = runAt(stored, { at })
    assert.deepEqual(state, { ...expected, seen: events.length })
    assert.equal(cursor.eventCounts[at], events.length)
  }
  assert.deepEqual(cursor.events, runAt(stored).events)
}
