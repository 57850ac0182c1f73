/**
 * Returns the 97.5 % quantile of Student's t distribution with `freedom` degrees of freedom. Uses
 * bisection on the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
 */
export function studentQuantile(freedom: number): number {
  let [low, high] = [0, Math.PI / 2]
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2
    if (shareWithin(middle, freedom) < 0.95) low = middle
    else high = middle
  }
  return Math.tan((low + high) / 2) * Math.sqrt(freedom)
}

/**
 * Returns the probability that a value of Student's t distribution is between -t and t. The bound t
 * is tan(angle) * sqrt(freedom).
 */
function shareWithin(angle: number, freedom: number): number {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
  const isOdd = freedom % 2 === 1
  if (freedom === 1) return (2 * angle) / Math.PI
  let term = isOdd ? cos : 1
  let sum = term
  for (let index = isOdd ? 3 : 2; index < freedom; index += 2) {
    term *= ((index - 1) / index) * cos ** 2
    sum += term
  }
  return isOdd ? (2 * (angle + sin * sum)) / Math.PI : sin * sum
}
