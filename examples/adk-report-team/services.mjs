const archive = [
  { year: 1926, text: "The council asked for 80,000 crowns for a pool and was given none." },
  { year: 1927, text: "A lottery of 20,000 tickets at 3 crowns was sold out in nine days." },
  { year: 1928, text: "The brewery lent the last 25,000 crowns, to be paid back in beer tax." },
  { year: 1931, text: "The tram was extended to the cemetery." },
]

export const services = {
  search_archive(context, { words }) {
    const wanted = words.map((word) => word.toLowerCase())
    return {
      pages: archive.filter(({ text }) => wanted.some((word) => text.toLowerCase().includes(word))),
    }
  },
}
