/**
 * Thrown if a command received invalid input. It is printed without a stack trace, and the exit
 * code is 2.
 */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem"
}
