import type { Control, Move, RunEffect, Variant } from "../behavior/behavior.js"

/**
 * A sentence that describes a step for a counterexample, such as "A person approves.", and the
 * agent that takes the step.
 */
export interface StepDescription {
  readonly does: string
  readonly agent: string | null
}

/**
 * A step of a parallel block or a workflow graph. It can combine several steps of branches or
 * nodes. `descriptions` contains the descriptions of these steps.
 */
export interface BlockStep<State extends Control> extends Variant<State> {
  readonly records: number
  readonly descriptions: readonly StepDescription[]
}

/**
 * An unfinished step of a parallel block or a workflow graph in the model checker. The state to
 * which the step leads is not known yet.
 */
export type StepSoFar = Pick<BlockStep<Control>, "records" | "descriptions"> & {
  readonly effects: readonly RunEffect[]
}

export const noStep: StepSoFar = { effects: [], records: 0, descriptions: [] }

/** Combines two consecutive steps into one step. */
export const joinSteps = (one: StepSoFar, other: StepSoFar): StepSoFar =>
  one === noStep
    ? other
    : {
        effects: [...one.effects, ...other.effects],
        records: one.records + other.records,
        descriptions: [...one.descriptions, ...other.descriptions],
      }

/**
 * Completes an unfinished step. Adds the effects of `variant`, and its next state or end as the
 * target of the step.
 */
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
