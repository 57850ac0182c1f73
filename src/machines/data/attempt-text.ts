/** Returns the attempt number of a call as text for error messages, such as `attempt 2 of 3`. */
export const attemptText = ({
  attempt,
  maximumAttempts,
}: {
  readonly attempt: number
  readonly maximumAttempts?: number
}): string =>
  maximumAttempts === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${maximumAttempts}`
