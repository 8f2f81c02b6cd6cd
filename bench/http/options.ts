import { parseArgs } from 'node:util'

export type Options = {
  seconds: number
  rounds: number
  connections: number
  json: string | undefined
  only: string | undefined
  cpuProf: string | undefined
}

export const USAGE = `usage: npm run bench:http -- [options]

  --seconds 2        counted time of a target in a round
  --rounds 5         rounds; each measures every target once, in another order
  --connections 64   connections, one request in flight on each
  --only TEXT        only targets whose name contains this
  --json FILE        write all figures there
  --cpu-prof DIR     profile our own server (its figures are then lower)
`

/** What a benchmark does when it is not told otherwise. */
export type Defaults = { rounds: string; connections: string }

export function parseOptions(
  args: string[],
  defaults: Defaults = { rounds: '5', connections: '64' },
): Options | 'help' {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      seconds: text,
      rounds: text,
      connections: text,
      json: text,
      only: text,
      'cpu-prof': text,
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) return 'help'
  return {
    seconds: parseWithin('seconds', values.seconds ?? '2', 0.1, 600),
    rounds: parseWithin('rounds', values.rounds ?? defaults.rounds, 1, 1_000),
    connections: parseWithin('connections', values.connections ?? defaults.connections, 1, 10_000),
    json: values.json,
    only: values.only,
    cpuProf: values['cpu-prof'],
  }
}

function parseWithin(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= min && value <= max))
    throw new Error(`--${name} must be a number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  return value
}
