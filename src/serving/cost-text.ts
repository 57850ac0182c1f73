/**
 * Formats a cost with at most four significant digits, for example `0.0123` or `12.5`. The text
 * contains no unit.
 */
export const costText = (cost: number): string => String(Number(cost.toPrecision(4)))
