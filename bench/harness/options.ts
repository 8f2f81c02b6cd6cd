import { parseArgs } from 'node:util'
import type { Cores } from './cpu.ts'

/** Options of the benchmarks that put load on servers. */
export type LoadOptions = {
  seconds: number
  rounds: number
  connections: number
  json: string | undefined
  only: string
  cpuProf: string | undefined
  cores: Cores
}
type Limits = readonly [min: number, max: number]

const text = { type: 'string' } as const
const help = { type: 'boolean', short: 'h' } as const

/** What differs between the benchmarks when no option is given. */
export type LoadDefaults = { rounds: number; connections: number }

export function parseLoadOptions(args: string[], defaults: LoadDefaults): LoadOptions | 'help' {
  const limits = { seconds: [0.1, 600], rounds: [1, 1_000], connections: [1, 10_000], cores: [1, 2] } as const
  const { values } = parseArgs({
    args,
    options: {
      ...{
        seconds: text,
        rounds: text,
        connections: text,
        json: text,
        only: text,
        'cpu-prof': text,
        cores: text,
      },
      help,
    },
  })
  if (values.help) return 'help'
  const numbers = parseNumbers(values, { seconds: 2, cores: 1, ...defaults }, limits)
  const cores = numbers.cores > 1 ? 2 : 1
  return { ...numbers, cores, json: values.json, only: values.only ?? '', cpuProf: values['cpu-prof'] }
}

/** Every number that has a default; a text that is none, or one out of bounds, is an error that names the option. */
export function parseNumbers<Name extends string>(
  given: { readonly [name in NoInfer<Name>]?: string | undefined },
  defaults: Readonly<Record<Name, number>>,
  limits: Readonly<Record<NoInfer<Name>, Limits>>,
): Record<Name, number> {
  const numberOf = (name: Name) => {
    const said = given[name]
    const value = said === undefined ? defaults[name] : Number(said)
    const [min, max] = limits[name]
    if (said?.trim() === '' || !(value >= min && value <= max))
      throw new Error(`--${name} must be a number from ${min} to ${max}, not ${JSON.stringify(said)}`)
    return value
  }
  const names = Object.keys(defaults) as Name[]
  return Object.fromEntries(names.map((name) => [name, numberOf(name)])) as Record<Name, number>
}
