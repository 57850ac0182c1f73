const capitals = { canada: "Ottawa", estonia: "Tallinn", kenya: "Nairobi", uruguay: "Montevideo" }

export const services = {
  get_capital_city(context, { country }) {
    const capital = capitals[country.trim().toLowerCase()]
    if (capital === undefined) throw new Error(`there is no country called ${country} in the list`)
    return { country, capital }
  },
}
