import type { Vector } from "./play.mjs"

export function loadVectors(from: string): Vector[]
export function isTimed(vector: Vector): boolean
