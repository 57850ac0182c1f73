export const services = {
  charge_payment: () => ({ done: true }),
  look_up: () => ({ done: true }),
}
