/** A cost without the noise of its last digits: `0.0123`, `12.5`. In the unit of the prices. */
export const costText = (cost: number): string => String(Number(cost.toPrecision(4)))
