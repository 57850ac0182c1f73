// Stands in for the page if the workflow runs on the command line, where there is no page.
export const services = {
  page: {
    list: () => [
      {
        name: "set_color",
        description: "Sets the background color of the page.",
        parameters: {
          type: "object",
          properties: { color: { type: "string" } },
          required: ["color"],
        },
      },
    ],
    call: (_context, _name, { color }) => `the background is ${color}`,
  },
}
