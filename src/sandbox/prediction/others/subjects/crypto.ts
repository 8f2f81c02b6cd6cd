import { MONTH, NEXT_MONTH, NEXT_YEAR, question, race, type Subject, YEAR } from '../subject.ts'

const crypto = { tags: ['crypto'], busy: 2 }

export const CRYPTO: readonly Subject[] = [
  question('chain-halts', 'Does a top-ten chain halt for an hour or more in {date}?', 0.22, {
    ...crypto,
    ends: MONTH,
  }),
  question('stablecoin-depeg', 'Large stablecoin below $0.98 for a day in {date}?', 0.04, {
    ...crypto,
    ends: MONTH,
  }),
  race(
    'fees-largest',
    'Which chain earns the most fees in {date}?',
    'Will {choice} earn the most fees in {date}?',
    { 'the orange chain': 18, 'the blue chain': 41, 'the green chain': 33, 'another chain': 8 },
    { ...crypto, ends: NEXT_MONTH },
  ),
  question('hash-rate', 'New record of the hash rate in {date}?', 0.58, { ...crypto, ends: MONTH }),
  question('fund-approved', 'Approval of a dog-coin fund by the end of {date}?', 0.47, {
    ...crypto,
    ends: YEAR,
  }),
  question('exchange-listed', 'Does a crypto exchange go public in {date}?', 0.66, {
    ...crypto,
    ends: NEXT_YEAR,
  }),
  question('fork', 'Is the “Ember” upgrade live on mainnet by the end of {date}?', 0.39, {
    ...crypto,
    ends: NEXT_MONTH,
  }),
  question('daily-fees', 'Median fee above 5 sat/vB at noon (UTC) on {date}?', 0.49, {
    ...crypto,
    ends: { every: 'day', atHour: 12 },
  }),
  question('airdrop', 'Will 🐸-coin airdrop by {date}?', 0.11, { ...crypto, ends: MONTH }),
]
