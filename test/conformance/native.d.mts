import type { Compiled } from "../../src/compiler/index.js"
import type { Interpreter, Outcome, Vector } from "./play.mjs"

export interface NativeVector extends Vector {
  readonly forms: Readonly<Record<Form, string>>
}
export type Form = "snake" | "camel" | "inherit" | "yaml"

export const forms: readonly Form[]
export function readNative(folder: string): NativeVector
export function compileForm(folder: string, vector: NativeVector, form: Form): Compiled
export function likeness(chart: object): object
export function tryNative(folder: string, form: Form, interpreter: Interpreter): Promise<Outcome>
