import process from "node:process"

/** How many random cases each property is tried on. */
export const cases = Number(process.env["PROPERTY_CASES"] ?? 1_000)

/** What the cases are made from. The same each time unless another one is asked for, so that a test that passed fails for a change only. */
export const seed = Number(process.env["PROPERTY_SEED"] ?? 20_261)

/** Enough for a machine that is busy: what ends a case is the work that it does, not the time that it takes. */
export const timeout = 60_000 + cases * 400
