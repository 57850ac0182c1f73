import type { Vector } from "./play.mjs"

/** The result of a vector, in the terms of the vectors. */
export type Played = Readonly<Record<string, unknown>>
export function judge(vector: Pick<Vector, "expect">, record: Played): string[]
