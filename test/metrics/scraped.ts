/** What a scrape says, by series (name and labels as they stand), and the type of each metric. */
export type Scraped = { values: ReadonlyMap<string, number>; types: ReadonlyMap<string, string> }

export function parseScrape(text: string): Scraped {
  const values = new Map<string, number>()
  const types = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, name = '', type = ''] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name) types.set(name, type)
    const [, series = '', value] = /^([a-z_]\S*(?:\{.*\})?) (\S+)$/i.exec(line) ?? []
    if (series && !line.startsWith('#')) values.set(series, Number(value))
  }
  return { values, types }
}

/** Adds up every series of a metric that has these labels. */
export function sumOf({ values }: Scraped, name: string, labels: Record<string, string> = {}): number {
  let sum = 0
  for (const [series, value] of values) {
    const isIt = series === name || series.startsWith(`${name}{`)
    if (isIt && Object.entries(labels).every(([label, text]) => series.includes(`${label}="${text}"`)))
      sum += value
  }
  return sum
}
