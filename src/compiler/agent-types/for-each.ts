import { both, inBoth, required } from "./common.js"
import type { ObjectDescription } from "./field-description.js"

/**
 * Describes the config fields of `forEach`, which defines the items for which a ParallelAgent runs
 * its sub-agent.
 */
export const forEach = {
  name: "a forEach",
  fields: {
    items: {
      type: "items",
      defaultText: "required",
      description:
        "An expression in the language of [conditions](conditions.md) that returns the list of items, such as `session_state['documents']`.",
      dialects: inBoth({
        synonyms: ["in", "list", "over", "source"],
        ...required(`Add the list of items: "items": "session_state['documents']".`),
      }),
    },
    as: {
      type: "stateName",
      default: "item",
      description:
        "State key of the item inside a branch. The key `<as>_index` contains its index, starting at 0.",
      dialects: inBoth({ synonyms: ["item", "itemName", "variable"] }),
    },
    collect: {
      type: "collect",
      defaultText: "`{}`",
      description:
        'The key that each branch writes, by the state key that receives the list of these values: `{"summaries": "summary"}`.',
      dialects: both,
    },
    maxItems: {
      type: "count",
      default: 1000,
      description: "Maximum number of items. If the list is longer, the block fails.",
      dialects: inBoth({ synonyms: ["limit", "max"] }),
    },
  },
} as const satisfies ObjectDescription
