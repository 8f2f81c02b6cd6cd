/** One value of a metric. Labels come from the catalog, the configuration or a list in the code, never from a caller. */
export type Sample = {
  labels: Readonly<Record<string, string>>
  value: number
  /** Of a histogram, which has three kinds of lines. */
  metricName?: string
}

/** A metric that is read when somebody asks for it: until then it costs nothing. */
export type Family = {
  name: string
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  read(): readonly Sample[]
}

type Read = () => readonly Sample[]

export const gauge = (name: string, help: string, read: Read): Family => ({ name, help, type: 'gauge', read })
export const counter = (name: string, help: string, read: Read): Family => ({
  name,
  help,
  type: 'counter',
  read,
})

const NO_LABELS = Object.freeze({})

/** Nothing where it is not known: a missing series is true, a zero would not be. */
export function sample(value: number | null | undefined, labels: Sample['labels'] = NO_LABELS): Sample[] {
  return value === null || value === undefined ? [] : [{ labels, value }]
}

/** One series for each possible state, 1 for the present one: alerts name a state, and none is ever missing. */
export function oneOf<State extends string>(
  states: readonly State[],
  present: State,
  labels: Sample['labels'] = NO_LABELS,
): Sample[] {
  return states.map((state) => ({ labels: { ...labels, state }, value: state === present ? 1 : 0 }))
}
