import type { Control, Move, RunEffect, Variant } from "../behavior/behavior.js"
import type { Told } from "./branch.js"

/** A step of a block or a graph, which can consist of steps of several of its parts. */
export interface BlockStep<State extends Control> extends Variant<State> {
  readonly records: number
  readonly told: readonly Told[]
}

/** What has happened in a step of a block before its next state is known. */
export type StepSoFar = Pick<BlockStep<Control>, "records" | "told"> & {
  readonly effects: readonly RunEffect[]
}

export const noStep: StepSoFar = { effects: [], records: 0, told: [] }

/** Returns a step that is followed by another one. */
export const joinSteps = (one: StepSoFar, other: StepSoFar): StepSoFar =>
  one === noStep
    ? other
    : {
        effects: [...one.effects, ...other.effects],
        records: one.records + other.records,
        told: [...one.told, ...other.told],
      }

/** Returns the step that ends with a variant. */
export const stepTo = <State extends Control>(
  { effects, records, told }: StepSoFar,
  variant: Variant<State>,
): BlockStep<State> => ({
  ...variant,
  effects: effects.length === 0 ? variant.effects : [...effects, ...variant.effects],
  records,
  told,
})

export const moveOf = <State extends Control>({
  told,
  ...step
}: BlockStep<State>): Move<State> => ({
  ...step,
  does: told.map(({ does }) => does).join(" ") || null,
  agent: told.at(-1)?.agent ?? null,
})
