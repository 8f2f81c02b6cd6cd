import { expect, test } from 'vitest'
import { createHistogram } from './histogram.ts'
import { createTally } from './tally.ts'

test('a histogram adds up: buckets grow to the count, and a bound belongs to its bucket', () => {
  const histogram = createHistogram('t', 'times', ['endpoint', 'status'])
  for (const ms of [0.4, 1, 1.1, 40, 99_999]) histogram.note('a', '2xx', ms)
  histogram.note('a', '5xx', 3)
  const of = (status: string) => histogram.read().filter(({ labels }) => labels.status === status)
  const bucket = (le: string) => of('2xx').find(({ labels }) => labels.le === le)?.value
  expect([
    bucket('0.001'),
    bucket('0.0025'),
    bucket('0.025'),
    bucket('0.05'),
    bucket('10'),
    bucket('+Inf'),
  ]).toEqual([2, 3, 3, 4, 4, 5])
  const sums = of('2xx').filter(({ labels }) => labels.le === undefined)
  expect(sums).toEqual([
    { metricName: 't_sum', labels: { endpoint: 'a', status: '2xx' }, value: expect.closeTo(100.0415, 6) },
    { metricName: 't_count', labels: { endpoint: 'a', status: '2xx' }, value: 5 },
  ])
  expect(of('5xx').at(-1)?.value).toBe(1)
})

test('a series that was begun is told before anything was noted in it', () => {
  const histogram = createHistogram('t', 'times', ['step', 'outcome'])
  histogram.begin('claim', 'failed')
  const count = () => histogram.read().at(-1)
  expect(count()).toEqual({ metricName: 't_count', labels: { step: 'claim', outcome: 'failed' }, value: 0 })
  histogram.note('claim', 'failed', 3)
  expect(count()?.value).toBe(1)
})

test('a tally has one series for each set of labels', () => {
  const tally = createTally<'a' | 'b'>('n', 'counts')
  tally.add({ a: 'x', b: 'y' })
  tally.add({ a: 'x', b: 'y' }, 4)
  tally.add({ a: 'xy', b: '' })
  expect(tally.read()).toEqual([
    { labels: { a: 'x', b: 'y' }, value: 5 },
    { labels: { a: 'xy', b: '' }, value: 1 },
  ])
})
