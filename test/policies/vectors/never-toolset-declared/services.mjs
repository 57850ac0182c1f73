export const services = {
  extras: {
    list: () => [{ name: "look_up" }, { name: "translate" }],
    call: () => ({ done: true }),
  },
  own_tool: () => ({ done: true }),
}
