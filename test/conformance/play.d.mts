import type { MemoryJournal } from "../../src/runtime/index.js"

/** A test case as its file holds it; see the README here. */
export interface Vector {
  readonly id: string
  readonly title: string
  readonly theme: string
  readonly dialect: "graph-compose" | "adk"
  readonly expect: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}
export type Interpreter = "run" | "actor"
/** How what came differs from what is expected; none when the vector passed. */
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
/** Called with the journal of each life of the run. */
export type OnJournal = (journal: MemoryJournal) => void
export function tryVector(
  vector: Vector,
  interpreter: Interpreter,
  onJournal?: OnJournal,
): Promise<Failures>
