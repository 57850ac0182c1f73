import type { Control, Move, RunEffect, Variant } from "../behavior/behavior.js"
import type { Told } from "./branch.js"

/**
 * A step of a block or a graph. It can combine steps of several branches or nodes. `told` contains
 * their descriptions.
 */
export interface BlockStep<State extends Control> extends Variant<State> {
  readonly records: number
  readonly told: readonly Told[]
}

/**
 * A step whose next state is not determined yet: its effects, descriptions and number of records.
 */
export type StepSoFar = Pick<BlockStep<Control>, "records" | "told"> & {
  readonly effects: readonly RunEffect[]
}

export const noStep: StepSoFar = { effects: [], records: 0, told: [] }

/** Combines two consecutive steps into one. */
export const joinSteps = (one: StepSoFar, other: StepSoFar): StepSoFar =>
  one === noStep
    ? other
    : {
        effects: [...one.effects, ...other.effects],
        records: one.records + other.records,
        told: [...one.told, ...other.told],
      }

/** Completes a step with the effects of a variant and its next state or end. */
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
