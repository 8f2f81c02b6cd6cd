import { expect, test } from 'vitest'
import { type FleetEvidence, findFleetViolations } from './fleet-rules.ts'

const call = { client: '10.250.0.1', day: 20_000, ageMs: 10_000, path: '/price/BTC' }
const crash = { atMs: 0, name: 'engine-1', how: 'exit code 1', wasReady: true }
const sound: FleetEvidence = {
  reigns: [
    { term: 1, holder: 'a', sinceMs: 0 },
    { term: 2, holder: 'b', sinceMs: 9_000 },
  ],
  faults: [{ kind: 'engine killed', backMs: 60_000, leaderMs: 5_000 }],
  stuck: [],
  granted: [call, call],
  budget: 2,
  sold: [{ request: 'GET /price/BTC', claimedAtMs: 20_000, asOfMs: 10_000 }],
  crashes: [crash, { ...crash, name: 'api-1', wasReady: false }],
  revenues: new Map([
    ['api-1', 5n],
    ['api-2', 5n],
  ]),
  withheld: [],
}
const rulesBroken = (change: Partial<FleetEvidence>) =>
  findFleetViolations({ ...sound, ...change }).map(({ rule }) => rule)

test('everything at its bound: all is well', () => {
  expect(rulesBroken({})).toEqual([])
})

test.each<[string, Partial<FleetEvidence>]>([
  ['F1 a term that does not rise', { reigns: [...sound.reigns, { term: 2, holder: 'a', sinceMs: 9_500 }] }],
  ['F1 a leader who came late', { faults: [{ kind: 'engine killed', backMs: 1, leaderMs: 5_001 }] }],
  ['F2 more free calls than the budget', { granted: [call, call, call] }],
  ['F3 stale data given away', { granted: [{ ...call, ageMs: 10_001 }] }],
  ['F3 stale data sold', { sold: [{ request: 'GET /price/BTC', claimedAtMs: 20_001, asOfMs: 10_000 }] }],
  ['F4 a process ended by itself', { crashes: [{ ...crash, name: 'api-1' }] }],
  ['F4 a process ended by itself', { crashes: [{ ...crash, how: 'SIGABRT' }] }],
  ['F4 a process ended by itself', { crashes: [{ ...crash, name: 'world' }] }],
  ['F5 the fleet did not come back', { stuck: ['api killed'] }],
  ['F6 a settled payment brings no goods', { withheld: ['a at api-1'] }],
  ['F7 apis report different revenues', { revenues: new Map([...sound.revenues, ['api-3', 4n]]) }],
])('notices: %s', (rule, change) => {
  expect(rulesBroken(change)).toEqual([rule])
})

test('clients and days have budgets of their own', () => {
  const others = [
    { ...call, client: '10.250.0.2' },
    { ...call, day: 20_001 },
  ]
  expect(rulesBroken({ granted: [call, call, ...others] })).toEqual([])
})
