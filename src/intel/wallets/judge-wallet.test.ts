import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import { createSeeded, type Seeded } from '../../testing/seeded.ts'
import {
  FRIEND,
  held,
  quote,
  SPENDER,
  UNLIMITED,
  USDC,
  walletFigures,
} from '../../testing/wallets/hand-made-wallets.ts'
import { RISK_RATINGS } from '../tokens/token-analysis.ts'
import type {
  Approval,
  Counterparty,
  CounterpartyFlag,
  SpenderKind,
  WalletFigures,
} from './wallet-analysis.ts'
import { SPENDER_KINDS } from './wallet-analysis.ts'
import { judgeWallet } from './wallet-analyst.ts'
import { toWealth } from './wealth.ts'

const approval = (spenderKind: SpenderKind, over: Partial<Approval> = {}): Approval => ({
  token: USDC,
  symbol: 'USDC',
  decimals: 6,
  spender: SPENDER,
  spenderKind,
  spenderName: undefined,
  allowance: UNLIMITED,
  isUnlimited: true,
  isCurrent: true,
  sinceMs: undefined,
  isVerified: true,
  mayCount: false,
  atRiskUsd: 50,
  ...over,
})
const approvals = (open: readonly Approval[], isComplete = true): WalletFigures['approvals'] => ({
  open,
  atRiskUsd: open.reduce((sum, { atRiskUsd = 0 }) => sum + atRiskUsd, 0),
  isComplete,
})
const party = (flags: readonly CounterpartyFlag[], outgoing = 0, incoming = 1): Counterparty => ({
  ...{
    address: FRIEND,
    label: undefined,
    exchange: undefined,
    isContract: false,
    inUsd: 0,
    outUsd: 0,
    lastMs: 1,
  },
  incoming,
  outgoing,
  unverified: 0,
  flags,
})
const parties = (all: readonly Counterparty[], movements: number, risky: number, sent = 0) => ({
  all,
  movements,
  riskyMovements: risky,
  sentToRisky: sent,
  isComplete: true,
})
const judged = (over: Partial<WalletFigures> = {}) => judgeWallet(walletFigures(over))
const codes = (over: Partial<WalletFigures>) =>
  judged(over).risk.reasons.map(({ code, severity }) => `${code}:${severity}`)

test('nothing to say against an old, busy and spread wallet', () => {
  const { risk, score } = judged()
  expect(risk).toEqual({ rating: 'low', reasons: [] })
  expect(score).toMatchObject({ value: 100, sum: 100, cap: 100, confidence: 1 })
  expect(score.components.reduce((sum, { weight }) => sum + weight, 0)).toBe(100)
})

describe('reasons', () => {
  const { activity } = walletFigures()
  test.each<[string, Partial<WalletFigures>, readonly string[]]>([
    ['reported', { isReported: true }, ['reported_scam:critical']],
    ['delegated', { kind: 'delegated_account', delegate: SPENDER }, ['delegated:medium']],
    ['an hour old', { activity: { ...activity, ageMs: DAY_MS - 1 } }, ['new_wallet:medium']],
    ['a day old', { activity: { ...activity, ageMs: DAY_MS } }, ['new_wallet:low']],
    ['a week old', { activity: { ...activity, ageMs: 7 * DAY_MS } }, []],
    ['of unknown age', { activity: { ...activity, ageMs: undefined } }, ['age_unknown:medium']],
    ['approvals unknown', { approvals: undefined }, ['approvals_unknown:medium']],
    ['approvals incomplete', { approvals: approvals([], false) }, ['approvals_incomplete:low']],
    ['approval to a scam', { approvals: approvals([approval('scam')]) }, ['approval_to_scam:critical']],
    ['to an account', { approvals: approvals([approval('account')]) }, ['approval_to_account:critical']],
    [
      'to an account that can take nothing now',
      { approvals: approvals([approval('account', { atRiskUsd: 0 })]) },
      ['approval_to_account:high'],
    ],
    [
      'to an account, of unknown worth',
      { approvals: approvals([approval('account', { atRiskUsd: undefined })]) },
      ['approval_to_account:critical'],
    ],
    [
      'much to a stranger',
      { approvals: approvals([approval('unknown_contract', { atRiskUsd: 10_000 })]) },
      ['approval_to_unknown:high'],
    ],
    [
      'much to a stranger who published his code',
      { approvals: approvals([approval('named_contract', { atRiskUsd: 10_000 })]) },
      ['approval_to_unknown:high'],
    ],
    [
      'some to a stranger',
      { approvals: approvals([approval('unknown', { atRiskUsd: 100 })]) },
      ['approval_to_unknown:medium'],
    ],
    [
      'little to a stranger',
      { approvals: approvals([approval('unknown_contract', { atRiskUsd: 99 })]) },
      ['approval_to_unknown:low'],
    ],
    [
      'nobody knows how much to a stranger',
      { approvals: approvals([approval('unknown_contract', { atRiskUsd: undefined })]) },
      ['approval_to_unknown:medium'],
    ],
    [
      'a little of it to a stranger, nobody knows how much',
      {
        approvals: approvals([approval('unknown_contract', { atRiskUsd: undefined, isUnlimited: false })]),
      },
      ['approval_to_unknown:medium'],
    ],
    [
      'a token whose worth could not be looked up, to an account',
      {
        approvals: approvals([
          approval('account', { isVerified: false, mayCount: true, atRiskUsd: undefined }),
        ]),
      },
      ['approval_worth_unknown:medium'],
    ],
    [
      'a token whose worth could not be looked up, to somebody well known',
      {
        approvals: approvals([
          approval('well_known', { isVerified: false, mayCount: true, atRiskUsd: undefined }),
        ]),
      },
      [],
    ],
    [
      'much to somebody well known',
      { approvals: approvals([approval('well_known', { atRiskUsd: 1_000 })]) },
      ['unlimited_approval:low'],
    ],
    ['little to somebody well known', { approvals: approvals([approval('well_known')]) }, []],
    ['counterparties unknown', { counterparties: undefined }, ['counterparties_unknown:medium']],
    [
      'robbed',
      { counterparties: parties([party(['took_approved_tokens'], 3, 0)], 3, 3, 3) },
      ['drained:critical', 'sent_to_risky:high', 'risky_counterparties:high'],
    ],
    [
      'left unasked',
      { counterparties: parties([party(['got_unasked'], 1, 0)], 1, 0) },
      ['left_unasked:medium'],
    ],
    ['gifts of scammers', { counterparties: parties([party(['scam_token_creator'])], 100, 4) }, []],
    [
      'many gifts of scammers',
      { counterparties: parties([party(['scam_token_creator'])], 100, 5) },
      ['risky_counterparties:medium'],
    ],
    ['bait', { counterparties: parties([party(['look_alike'])], 9, 0) }, ['look_alike_addresses:low']],
  ])('%s', (_, over, expected) => {
    expect(codes(over)).toEqual(expected)
  })
  test('of holdings', () => {
    const wealthOf = (reputation: string, isComplete: boolean, etherPriceUsd: number | undefined) =>
      toWealth({
        wei: 10n ** 18n,
        held: { rows: [held({ reputation })], isComplete },
        quotes: new Map(),
        etherPriceUsd,
      })
    expect(codes({ wealth: wealthOf('scam', true, 4_000) })).toEqual(['scam_tokens:low', 'concentrated:low'])
    expect(codes({ wealth: wealthOf('ok', false, 500) })).toEqual(['holdings_incomplete:low'])
    expect(codes({ wealth: wealthOf('ok', true, undefined) })).toEqual(['worth_unknown:medium'])
  })
})

test('what is not known earns nothing and lowers confidence', () => {
  const unknown = {
    firstSeenMs: undefined,
    ageMs: undefined,
    lastActiveMs: undefined,
    idleMs: undefined,
    sent: undefined,
    outgoing: undefined,
    hasGap: false,
    recent: [],
  }
  const wealth = toWealth({
    wei: undefined,
    held: { rows: [], isComplete: false },
    quotes: new Map(),
    etherPriceUsd: undefined,
  })
  const { score, risk } = judged({
    activity: unknown,
    wealth,
    approvals: undefined,
    counterparties: undefined,
  })
  expect(score).toMatchObject({ value: 0, confidence: 0 })
  expect(risk.rating).toBe('medium')
})

test('approvals that anybody can make up change nothing', () => {
  const made = SPENDER_KINDS.map((kind) => approval(kind, { isVerified: false, atRiskUsd: undefined }))
  expect(judged({ approvals: approvals(made) })).toMatchObject({
    risk: { rating: 'low', reasons: [] },
    score: { value: 100 },
  })
})

test('a stranger who may take half of it costs all points of approvals', () => {
  const { totalUsd = 0 } = walletFigures().wealth
  const pointsAt = (atRiskUsd: number) =>
    judged({ approvals: approvals([approval('unknown_contract', { atRiskUsd })]) }).score.components.find(
      ({ name }) => name === 'approvals',
    )?.points
  expect([0.5, totalUsd / 4, totalUsd / 2, totalUsd].map(pointsAt)).toEqual([20, 10, 0, 0])
})

test('a list of approvals that is not whole earns half, and half of it is known', () => {
  const { score } = judged({ approvals: approvals([], false) })
  expect(score).toMatchObject({ value: 90, confidence: 0.9 })
})

test('an unknown worth at risk earns nothing, whether the approval is proven or not', () => {
  const scoreOf = (over: Partial<Approval>) =>
    judged({ approvals: approvals([approval('named_contract', { atRiskUsd: undefined, ...over })]) }).score
  for (const over of [{}, { isVerified: false, mayCount: true }])
    expect(scoreOf(over)).toMatchObject({ sum: 80, confidence: 0.8 })
})

function randomFigures(random: Seeded): WalletFigures {
  const tokens = Array.from({ length: random.below(5) }, (_, i) => `0x${String(i).padStart(40, '8')}`)
  const maybe = <T>(value: T): T | undefined => (random.chance(0.85) ? value : undefined)
  const ageMs = maybe(random.fraction() * 1_500 * DAY_MS)
  const idleMs = maybe(random.fraction() * 500 * DAY_MS)
  const movements = random.below(60)
  const risky = random.below(movements + 1)
  return walletFigures({
    kind: random.pick(['account', 'contract', 'delegated_account']),
    isReported: random.chance(0.05),
    wealth: toWealth({
      wei: maybe(BigInt(random.below(2 ** 31)) * 10n ** 12n),
      held: {
        rows: tokens.map((token) => held({ token, units: 10n ** BigInt(random.between(10, 26)) })),
        isComplete: random.chance(0.8),
      },
      quotes: new Map(
        tokens.slice(1).map((token) => [token, quote({ liquidityUsd: 10 ** random.between(1, 8) })]),
      ),
      etherPriceUsd: maybe(4_000),
    }),
    activity: {
      ...walletFigures().activity,
      ageMs,
      idleMs,
      sent: maybe(random.below(100_000)),
      outgoing: maybe(random.below(100)),
      hasGap: random.chance(0.2),
    },
    counterparties: maybe(parties([], movements, risky, random.below(risky + 1))),
    approvals: maybe(
      approvals(
        Array.from({ length: random.below(4) }, () =>
          approval(random.pick(SPENDER_KINDS), { atRiskUsd: maybe(10 ** random.between(-2, 6)) }),
        ),
        random.chance(0.9),
      ),
    ),
  })
}

/** Each makes a wallet more dangerous, or less is known of it. */
const WORSE: readonly ((figures: WalletFigures) => WalletFigures)[] = [
  (figures) => ({ ...figures, isReported: true }),
  (figures) => ({ ...figures, approvals: undefined }),
  (figures) => ({ ...figures, counterparties: undefined }),
  ({ approvals: given, ...figures }) => ({
    ...figures,
    approvals: given && approvals([...given.open, approval('account')], given.isComplete),
  }),
  ({ approvals: given, ...figures }) => ({
    ...figures,
    approvals:
      given && approvals([...given.open, approval('unknown_contract', { atRiskUsd: 1e5 })], given.isComplete),
  }),
  ({ counterparties: given, ...figures }) => ({
    ...figures,
    counterparties: given && {
      ...given,
      all: [...given.all, party(['reported_scam'], 2, 0)],
      movements: given.movements + 2,
      riskyMovements: given.riskyMovements + 2,
      sentToRisky: given.sentToRisky + 2,
    },
  }),
  (figures) => ({ ...figures, activity: { ...figures.activity, ageMs: 0, idleMs: undefined } }),
  ({ approvals: given, ...figures }) => ({
    ...figures,
    approvals: given && { ...given, isComplete: false },
  }),
]

test('score and risk are bounded, add up, and never improve with danger', () => {
  for (let seed = 1; seed <= 250; seed++) {
    const figures = randomFigures(createSeeded(seed))
    const { score, risk } = judgeWallet(figures)
    expect(score.value).toBeGreaterThanOrEqual(0)
    expect(score.value).toBeLessThanOrEqual(100)
    expect(score.value).toBe(Math.min(score.sum, score.cap))
    expect(score.sum).toBeCloseTo(
      score.components.reduce((sum, { points }) => sum + points, 0),
      0,
    )
    for (const [i, worsen] of WORSE.entries()) {
      const worse = judgeWallet(worsen(figures))
      const told = `seed ${seed}, change ${i}`
      // Approvals that nobody could look up are worse than none, not worse than what was found.
      if (i === 1 || i === 2) expect(worse.risk.rating, told).not.toBe('low')
      else
        expect(RISK_RATINGS.indexOf(worse.risk.rating), told).toBeGreaterThanOrEqual(
          RISK_RATINGS.indexOf(risk.rating),
        )
      if (i !== 1 && i !== 2) expect(worse.score.value, told).toBeLessThanOrEqual(score.value)
      expect(worse.score.sum, told).toBeLessThanOrEqual(score.sum)
    }
  }
})
