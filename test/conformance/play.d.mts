import type { MemoryJournal } from "../../src/runtime/index.js"

/** A test case as its file contains it. See the README of this folder. */
export interface Vector {
  readonly id: string
  readonly title: string
  readonly theme: string
  readonly dialect: "graph-compose" | "adk"
  readonly expect: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}
export type Interpreter = "run" | "actor"
/** The differences between the actual and the expected result. Empty if the vector passed. */
export type Failures = readonly string[]

export function tryCompiled(
  vector: Vector,
  compiled: () => object,
  interpreter: Interpreter,
  hostLog: string[],
  functions?: Readonly<Record<string, string>>,
  onJournal?: OnJournal,
): Promise<Failures>
export function isForRunOnly(vector: Vector): boolean
/** Called with the journal of the run at its start and after each restart. */
export type OnJournal = (journal: MemoryJournal) => void
export function tryVector(
  vector: Vector,
  interpreter: Interpreter,
  onJournal?: OnJournal,
): Promise<Failures>
