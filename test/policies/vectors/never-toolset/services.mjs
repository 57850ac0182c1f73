export const services = {
  docs: {
    list: () => [{ name: "read" }, { name: "write" }, { name: "remove" }],
    call: () => ({ done: true }),
  },
  extras: { list: () => [{ name: "look_up" }], call: () => ({ done: true }) },
}
