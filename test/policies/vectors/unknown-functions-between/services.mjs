export const services = {
  prepare: () => ({ done: true }),
}
