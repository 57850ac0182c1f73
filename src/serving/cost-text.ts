/** Formats a cost with four significant digits: `0.0123`, `12.5`. The unit is that of the prices. */
export const costText = (cost: number): string => String(Number(cost.toPrecision(4)))
