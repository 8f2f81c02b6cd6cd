import type { Family, Sample } from './family.ts'
import { counter } from './family.ts'

/** Counts by the values of some labels. The values are few: those of the catalog and of lists in the code. */
export type Tally<Label extends string> = Family & {
  add(values: Readonly<Record<Label, string>>, by?: number): void
}

export function createTally<Label extends string>(name: string, help: string): Tally<Label> {
  const counts = new Map<string, Sample & { value: number }>()
  const family = counter(name, help, () => [...counts.values()])
  return {
    ...family,
    add(labels, by = 1) {
      const key = Object.values(labels).join('\n')
      const known = counts.get(key)
      if (known) known.value += by
      else counts.set(key, { labels: { ...labels }, value: by })
    },
  }
}
