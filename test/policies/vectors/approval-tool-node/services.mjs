export const services = {
  charge_payment: () => ({ done: true }),
}
