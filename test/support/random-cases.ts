import process from "node:process"

/** Seed of all random tests. It is fixed, so that a passing test fails only after a change. */
export const seed = Number(process.env["PROPERTY_SEED"] ?? 20_261)

/** Without `PROPERTY_FACTOR` the seed is fixed, so more cases would only repeat what passed before. */
const factor = Number(process.env["PROPERTY_FACTOR"] ?? 0.1)

/** Returns the number of random cases of a property: `many`, times `PROPERTY_FACTOR`, 0.1 by default. */
export const randomCases = (many: number): number => Math.ceil(many * factor)

/** Whether all cases are played, as in `npm run test:random`, and not only some of them. */
export const playsAllCases = factor >= 1

/** Returns a number of cases: `few`, or `all` in `npm run test:random`. */
export const caseCount = (few: number, all: number): number => (playsAllCases ? all : few)

/** Returns every n-th of the cases, or all of them in `npm run test:random`. */
export const sampleOf = <Case>(cases: readonly Case[], n: number): readonly Case[] =>
  playsAllCases ? cases : cases.filter((_, index) => index % n === 0)
