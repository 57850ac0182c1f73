const emailAddress = /[\w.+-]+@[\w-]+\.[\w.]+/

/** Trips if a text contains an email address. */
export const services = {
  findPersonalData: (_context, { text }) => {
    const found = emailAddress.exec(text)
    return found === null
      ? { tripped: false }
      : { tripped: true, reason: `the text contains the email address ${found[0]}` }
  },
}
