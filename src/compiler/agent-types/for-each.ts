import { bothDialects, inBothDialects, required } from "./common.js"
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
      dialects: inBothDialects({
        synonyms: ["in", "list", "over", "source"],
        ...required(`Add the list of items: "items": "session_state['documents']".`),
      }),
    },
    as: {
      type: "stateName",
      default: "item",
      description:
        "State key of the item inside a branch. The key `<as>_index` contains its index, starting at 0.",
      dialects: inBothDialects({ synonyms: ["item", "itemName", "variable"] }),
    },
    collect: {
      type: "collect",
      defaultText: "`{}`",
      description:
        'The lists that collect results of the branches. `{"summaries": "summary"}` stores a list under the state key `summaries`, with the value that each branch wrote to `summary`.',
      dialects: bothDialects,
    },
    maxItems: {
      type: "count",
      default: 1000,
      description: "Maximum length of the list `items`. If the list is longer, the block fails.",
      dialects: inBothDialects({ synonyms: ["limit", "max"] }),
    },
  },
} as const satisfies ObjectDescription
