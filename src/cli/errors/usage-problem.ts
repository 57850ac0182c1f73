/** A command received invalid input. Printed without a stack trace; the exit code is 2. */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem"
}
