import { describe, expect, it } from 'vitest'
import { parseLoadOptions, parseNumbers } from './options.ts'

const DEFAULTS = { rounds: 5, connections: 64 }

describe('parseLoadOptions', () => {
  it('takes the defaults of the benchmark and what is given', () => {
    expect(parseLoadOptions(['--rounds', '2', '--only', 'bare/'], DEFAULTS)).toEqual({
      ...{ seconds: 2, rounds: 2, connections: 64, only: 'bare/', json: undefined, cpuProf: undefined },
      cores: 1,
    })
    expect(parseLoadOptions(['-h'], DEFAULTS)).toBe('help')
  })

  it.each(['0', '', 'x', '1001', 'NaN'])('refuses %j rounds', (rounds) => {
    expect(() => parseLoadOptions(['--rounds', rounds], DEFAULTS)).toThrow('--rounds must be a number from 1')
  })
})

it('parseNumbers gives the numbers that have a default and no others', () => {
  const given = { events: '30', other: '7' }
  expect(parseNumbers(given, { events: 10 }, { events: [1, 100] })).toEqual({ events: 30 })
})
