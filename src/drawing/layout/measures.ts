/**
 * Distances and font sizes of drawings, in pixels. Most sizes are multiples of four, so that
 * neighboring elements align.
 */
export const measures = {
  margin: 24,
  padding: 12,
  /** Space between parallel regions, between neighboring states, and around a state. */
  gap: 24,
  /** Space between two consecutive states of a sequence, for the arrow between them. */
  layer: 28,
  icon: 16,
  iconGap: 8,
  mark: 16,
  choice: 24,
  title: { size: 13, line: 18 },
  line: { size: 11.5, line: 16 },
  label: { size: 11, line: 14 },
  /** Maximum width of text lines, and of the titles of states without nested states, in pixels. */
  maxText: 260,
  /** Maximum width of the titles of states with nested states, in pixels. */
  maxHolderTitle: 380,
  maxLabel: 200,
  minWidth: 96,
} as const
