/**
 * Thrown if the user passes invalid input to a command. The program prints the message without a
 * stack trace and exits with code 2.
 */
export class UsageProblem extends Error {
  override readonly name = "UsageProblem"
}
