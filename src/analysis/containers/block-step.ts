import type { Control, Move, RunEffect, Variant } from "../behavior/behavior.js"

/** The sentence that describes a step, and the agent that takes the step. */
export interface StepDescription {
  readonly does: string
  readonly agent: string | null
}

/**
 * A step of a parallel block or a workflow graph. It can combine steps of several branches or
 * nodes; `descriptions` has an entry for each of them.
 */
export interface BlockStep<State extends Control> extends Variant<State> {
  readonly records: number
  readonly descriptions: readonly StepDescription[]
}

/**
 * The effects, descriptions and number of records of a step whose next state is not determined yet.
 */
export type StepSoFar = Pick<BlockStep<Control>, "records" | "descriptions"> & {
  readonly effects: readonly RunEffect[]
}

export const noStep: StepSoFar = { effects: [], records: 0, descriptions: [] }

/** Combines two consecutive steps into one. */
export const joinSteps = (one: StepSoFar, other: StepSoFar): StepSoFar =>
  one === noStep
    ? other
    : {
        effects: [...one.effects, ...other.effects],
        records: one.records + other.records,
        descriptions: [...one.descriptions, ...other.descriptions],
      }

/** Completes a step with the effects of a variant and its next state or end. */
export const stepTo = <State extends Control>(
  { effects, records, descriptions }: StepSoFar,
  variant: Variant<State>,
): BlockStep<State> => ({
  ...variant,
  effects: effects.length === 0 ? variant.effects : [...effects, ...variant.effects],
  records,
  descriptions,
})

export const moveOf = <State extends Control>({
  descriptions,
  ...step
}: BlockStep<State>): Move<State> => ({
  ...step,
  does: descriptions.map(({ does }) => does).join(" ") || null,
  agent: descriptions.at(-1)?.agent ?? null,
})
