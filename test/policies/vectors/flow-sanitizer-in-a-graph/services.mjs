export const services = {
  publish: () => ({ done: true }),
}
