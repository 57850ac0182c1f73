export const services = {
  refund: () => ({ done: true }),
}
