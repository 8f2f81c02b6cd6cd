import { parseArgs } from 'node:util'
import { pinCores } from '../harness/cpu.ts'
import { describeMachine } from '../harness/machine.ts'
import { parseNumbers } from '../harness/options.ts'
import { runRounds } from '../harness/rounds.ts'
import { say, writeFigures } from '../harness/say.ts'
import { aligned } from '../harness/table.ts'
import { backtestYear, generateYear, libraryYear, YEAR_MIN } from './coin-year.ts'
import { EVENTS_PER_S } from './events.ts'
import { type Goal, type Judged, judge } from './goals.ts'
import { type Latency, measureLatency } from './latency.ts'
import { CONTENDERS, type ContenderName, measureThroughput } from './throughput.ts'

const USAGE = `usage: npm run bench:signals -- [options]

  --rounds 3         rounds; each measures everything once
  --events 400000    market events per contender and round
  --seconds 5        of events at ${EVENTS_PER_S} a second, per round
  --minutes ${YEAR_MIN}   minutes of the backtest, per coin; only a whole year is judged
  --only TEXT        only parts whose name contains this: throughput, latency, backtest
  --json FILE        write all figures there
`
const ABOUT = `engine: market and signal engine of four coins as the service composes them; each event changes books, candles,
  indicators and the coin's probability. "every signal read" also builds the whole signal after every event.
parse only: JSON.parse of the same events. library only: RSI, MACD, Bollinger bands and rate of change of trading-signals,
  brought up to date with every price.
Events per second are of CPU time, garbage collection included: what one core does when nobody else wants it.
`
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    ...{ rounds: text, events: text, seconds: text, minutes: text, only: text, json: text },
    help: { type: 'boolean', short: 'h' },
  },
})
const DEFAULTS = { rounds: 3, events: 400_000, seconds: 5, minutes: YEAR_MIN }
const numbers = parseNumbers(values, DEFAULTS, {
  rounds: [1, 1_000],
  events: [20_000, 1e9],
  seconds: [1, 600],
  minutes: [10_000, 10 * YEAR_MIN],
})
const PARTS: readonly { name: string; run: (rounds: number) => Promise<Judged[]> }[] = [
  { name: 'throughput', run: throughput },
  { name: 'latency', run: latency },
  { name: 'backtest', run: backtest },
]
if (values.help) say(USAGE)
else await bench()

async function bench(): Promise<void> {
  pinCores()
  const machine = describeMachine()
  say(`${machine}; this process keeps to one core where it can be pinned\n${ABOUT}\n`)
  const judged: Judged[] = []
  for (const part of PARTS)
    if (part.name.includes(values.only ?? '')) judged.push(...(await part.run(numbers.rounds)))
  say(`\n${table(judged)}`)
  writeFigures(values.json, { machine, options: { ...numbers, only: values.only }, judged })
}

async function throughput(rounds: number): Promise<Judged[]> {
  say('throughput\n')
  const contenders = CONTENDERS.map((name) => ({ name }))
  const figures = await runRounds(contenders, rounds, ({ name }) => measureThroughput(name, numbers.events))
  const of = (name: ContenderName) => figures.get(name) ?? []
  const ratio = (other: ContenderName) =>
    of('engine').map((ours, round) => ours / (of(other)[round] ?? Number.NaN))
  const goalOf = (name: ContenderName): Goal => ({
    name: `events, ${name}`,
    unit: '/s',
    digits: 0,
    ...(name.startsWith('engine') ? { atLeast: 200_000 } : {}),
  })
  return [
    ...CONTENDERS.map((name) => judge(goalOf(name), of(name))),
    judge({ name: 'engine : parse only', unit: 'x', digits: 2 }, ratio('parse only')),
    judge({ name: 'engine : library only', unit: 'x', digits: 2 }, ratio('library only')),
  ]
}

async function latency(rounds: number): Promise<Judged[]> {
  const runs: Latency[] = []
  for (let round = 0; round < rounds; round++) {
    say(`latency ${round + 1} of ${rounds} `)
    const run = await measureLatency(numbers.seconds)
    runs.push(run)
    say(`${run.signals} signals after ${run.events} events\n`)
  }
  const told = (what: 'handed' | 'due', which: keyof Latency['due'], name: string, below?: number) =>
    judge(
      { name: `event to signal, ${name}`, unit: 'us', digits: 1, ...(below === undefined ? {} : { below }) },
      runs.map((run) => run[what][which]),
    )
  return [
    told('handed', 'p50Us', 'p50'),
    told('handed', 'p99Us', 'p99', 1_000),
    told('handed', 'maxUs', 'max'),
    told('due', 'p50Us', 'since it was due, p50'),
    told('due', 'p99Us', 'since it was due, p99'),
    told('due', 'maxUs', 'since it was due, max'),
  ]
}

async function backtest(rounds: number): Promise<Judged[]> {
  const { minutes } = numbers
  say('generating minutes\n')
  const year = generateYear(minutes)
  const ours = []
  const library = []
  for (let round = 0; round < rounds; round++) {
    say(`backtest ${round + 1} of ${rounds} `)
    const run = backtestYear(year)
    ours.push(run)
    library.push(libraryYear(year))
    say(`${run.result} predictions\n`)
  }
  const goal = minutes === YEAR_MIN ? { below: 10 } : {}
  const seconds = { unit: 's', digits: 2 }
  return [
    judge(
      { name: 'backtest of a coin', ...seconds, ...goal },
      ours.map(({ wallMs }) => wallMs / 1000),
    ),
    judge(
      { name: 'backtest of a coin, CPU', ...seconds },
      ours.map(({ cpuUs }) => cpuUs / 1e6),
    ),
    judge(
      { name: 'library only, four coins, CPU', ...seconds },
      library.map(({ cpuUs }) => cpuUs / 1e6),
    ),
  ]
}

function table(all: readonly Judged[]): string {
  const rows = all.map(({ name, unit, digits, figure, atLeast, below, holds }) => [
    name,
    figure.median.toFixed(digits),
    `${figure.min.toFixed(digits)}..${figure.max.toFixed(digits)}`,
    unit,
    atLeast !== undefined ? `at least ${atLeast}` : below !== undefined ? `below ${below}` : '-',
    holds === undefined ? '' : holds ? 'PASS' : 'MISS',
  ])
  return aligned([['figure', 'median', 'min..max', '', 'goal', ''], ...rows])
}
