/** A command was given something that it cannot use. Printed without a stack; exit code 2. */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem"
}
