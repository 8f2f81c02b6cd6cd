import { expect, test } from 'vitest'
import { sampleLiveEvent } from '../../testing/products/sample-live-event.ts'
import { FIGURES, type FigureName, type Shown, TABLES, type TableName } from '../assets/scalper/words.js'

const NOON_S = Date.parse('2026-01-05T12:00:00.000Z') / 1000
const nothing: Shown = { timestamp: '2026-01-05T12:00:00.000Z', price: [], delayed: [], equity: [] }
const shown = (more: Partial<Shown> = {}): Shown => ({ ...sampleLiveEvent, ...more })
const bot = (more: object): Shown =>
  shown({ bot: { ...(sampleLiveEvent.bot as NonNullable<Shown['bot']>), ...more } })

test.each(Object.keys(FIGURES) as FigureName[])('%s says something of everything and of nothing', (name) => {
  for (const each of [shown(), nothing, shown({ bot: null })]) {
    const { text, small } = FIGURES[name].of(each)
    expect(`${text} ${small}`).not.toMatch(/undefined|null|NaN/)
    expect(text).not.toBe('')
  }
})

test.each(Object.keys(TABLES) as TableName[])(
  'the table %s has a cell for every head, and is empty of nothing',
  (name) => {
    const { heads, rowsOf } = TABLES[name]
    const rows = rowsOf(shown())
    expect(rows.map((cells) => cells.length)).toEqual([heads.length])
    expect(rows.flat().join()).not.toMatch(/undefined|null|NaN/)
    expect(rowsOf(nothing)).toEqual([])
  },
)

test('a price that is old is not called live', () => {
  const late = shown({ price: [[NOON_S - 11, 100]] })
  expect(FIGURES.price.of(late)).toEqual({
    text: '$100.00',
    small: 'no price since 11:59:49 UTC',
    tone: 'warn',
  })
  expect(FIGURES.price.of(shown({ price: [[NOON_S - 10, 100]] })).small).toBe('at 11:59:50 UTC')
})

test('a window counts down to nothing, never below', () => {
  const at = (timestamp: string) => FIGURES.left.of(shown({ timestamp })).text
  expect(at('2026-01-05T12:00:00.000Z')).toBe('5:00')
  expect(at('2026-01-05T12:04:58.500Z')).toBe('0:02')
  expect(at('2026-01-05T12:06:00.000Z')).toBe('0:00')
})

test('a move has a sign beside its colour, and none is told against an older window', () => {
  expect(FIGURES.move.of(shown({ price: [[NOON_S, 100_000]] }))).toMatchObject({
    text: '▼ $10.50',
    tone: 'down',
  })
  expect(FIGURES.move.of(shown({ price: [[NOON_S - 1, 100_000]] })).text).toBe('–')
})

test('trades won are told with their number and interval, and say when they mean little', () => {
  expect(FIGURES.wins.of(shown())).toEqual({
    text: '229 of 412',
    small: '55.58 %, 95 % interval 50.76 to 60.31 %',
  })
  const few = bot({
    total_trades: 1,
    wins: 1,
    win_rate: 100,
    win_rate_low: 20,
    win_rate_note: 'only 1 trade',
  })
  expect(FIGURES.wins.of(few).small).toContain('; only 1 trade')
})

test('an open breaker says what it means', () => {
  const open = bot({ now: { breaker: { open: true, since: null, consecutive_losses: 1 } } })
  expect(FIGURES.breaker.of(open)).toEqual({
    text: 'Stopped',
    small: 'the circuit breaker stopped it: nothing is traded until the operator resets it; 1 loss in a row',
    tone: 'bad',
  })
})

test('whether the bot may trade is said in words, with the reason where it may not', () => {
  const now = { breaker: { open: false, since: null, consecutive_losses: 0 } }
  const running = bot({ now, state: 'running', meaning: 'it trades' })
  expect(FIGURES.breaker.of(running)).toEqual({ text: 'Allowed', small: 'it trades; 0 losses in a row' })
  expect(FIGURES.breaker.of(bot({ now, state: 'paused', meaning: 'the operator paused it' }))).toEqual({
    text: 'Not now',
    small: 'paused: the operator paused it; 0 losses in a row',
    tone: 'warn',
  })
})
