import process from "node:process"

/** Seed of all random tests. It is fixed, so that a passing test fails only after a change. */
export const seed = Number(process.env["PROPERTY_SEED"] ?? 20_261)

const factor = Number(process.env["PROPERTY_FACTOR"] ?? 1)

/** Returns the number of random cases of a property, `PROPERTY_FACTOR` times its default. */
export const randomCases = (byDefault: number): number => Math.ceil(byDefault * factor)
